//! The threads of batches.
//!
//! Python programs fork: `multiprocessing` does so by default on Linux up to Python 3.13. Threads do not survive that, and a pool that was
//! made before would wait for them forever. So the pool belongs to a process, and a forked one makes its own.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyErr, PyResult};
use rayon::{ThreadPool, ThreadPoolBuilder};

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The pool of this process.
pub(crate) fn pool() -> PyResult<Arc<ThreadPool>> {
    let own = process::id();
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((process, pool)) = slot.as_ref()
        && *process == own
    {
        return Ok(Arc::clone(pool));
    }
    let made = ThreadPoolBuilder::new().build().map_err(|error| no_threads(&error))?;
    let made = Arc::new(made);
    // Dropping the pool of another process would speak to threads that are not there.
    if let Some(foreign) = slot.replace((own, Arc::clone(&made))) {
        std::mem::forget(foreign);
    }
    Ok(made)
}

fn no_threads(error: &rayon::ThreadPoolBuildError) -> PyErr {
    PyRuntimeError::new_err(format!("threads could not be started: {error}"))
}
