//! Drivers of graphics devices that write to stderr.

/// Keeps Mesa's Vulkan driver from looking for a display where there is none, and from complaining about that on stderr: where
/// `XDG_RUNTIME_DIR` is not set, `NODEVICE_SELECT` is, which leaves out the layer that looks. Devices are chosen without that layer.
///
/// Call it first in `main`: once there are other threads, it does nothing.
#[allow(unsafe_code)]
pub fn quiet_drivers() {
    if !cfg!(target_os = "linux") || std::env::var_os("XDG_RUNTIME_DIR").is_some() {
        return;
    }
    let threads = std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    if threads == 1 {
        // SAFETY: this is the only thread, so that none reads the environment while it changes.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}
