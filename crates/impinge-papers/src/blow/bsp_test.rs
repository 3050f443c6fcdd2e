//! The exact test of a world by the planes of faces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use impinge::query::IntersectOptions;
use impinge::world::ExactTest;
use impinge::{Model, Placed};

use super::{BspEngine, BspEngineMemory};

thread_local! {
    /// The memory of the searches of this thread.
    static MEMORY: RefCell<BspEngineMemory> = RefCell::default();
}

/// The exact test by solid BSP trees for a world of these models. Of models that are not among them, the library's own engine decides.
pub fn bsp_test(models: impl IntoIterator<Item = Arc<Model>>) -> ExactTest {
    // By address: the models are kept, so that no other can come to stand there.
    let address = |model: &Model| std::ptr::from_ref(model).addr();
    let engines: HashMap<usize, (Arc<Model>, BspEngine)> = models
        .into_iter()
        .map(|model| {
            let engine = BspEngine::new(&model);
            (address(&model), (model, engine))
        })
        .collect();
    Arc::new(move |a: &Placed<'_>, b: &Placed<'_>| {
        let known = [a, b].map(|placed| engines.get(&address(placed.model())));
        match known {
            [Some((_, first)), Some((_, second))] => {
                let options = IntersectOptions::default();
                MEMORY.with_borrow_mut(|memory| {
                    BspEngine::intersect([first, second], [a, b], options, memory).verdict
                })
            }
            _ => a.verdict(b),
        }
    })
}
