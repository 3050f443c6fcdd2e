//! The passes on a graphics device.

mod hits;
mod identify;
mod lists;
mod look;
mod normals;
mod pipelines;
mod read;
mod targets;
mod upload;

use std::sync::{Arc, Mutex, PoisonError};

use crate::ImageError;
use crate::look::{Draw, Seen};
use crate::options::SIDES;
use hits::HitList;
use lists::EdgeLists;
use pipelines::{Abilities, Pipelines};
use read::Queries;
use targets::Targets;
use upload::Uploads;

/// A graphics device with all that is set up once: pipelines, textures, and the shapes that it has drawn before.
pub(crate) struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    pipelines: Pipelines,
    targets: Option<Targets>,
    uploads: Uploads,
    queries: Queries,
    hits: HitList,
    lists: Option<EdgeLists>,
    /// What the device complained about.
    complaint: Arc<Mutex<Option<String>>>,
    /// How many layers the last look needed: as many are drawn at once the next time.
    expected_layers: u32,
}

impl Gpu {
    /// The best adapter of the machine.
    pub(crate) fn open() -> Result<Gpu, ImageError> {
        let adapter = find_adapter()?;
        let wanted = wgpu::Features::FLOAT32_BLENDABLE | wgpu::Features::DEPTH32FLOAT_STENCIL8;
        let features = adapter.features() & wanted;
        let info = adapter.get_info();
        if !features.contains(wgpu::Features::DEPTH32FLOAT_STENCIL8) {
            let what = "depths in 32 bits with a stencil";
            return Err(ImageError::Lacks { adapter: info.name, what });
        }
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("impinge"),
            required_features: features,
            required_limits: limits(&adapter),
            ..wgpu::DeviceDescriptor::default()
        }))
        .map_err(|refusal| ImageError::Device { reason: refusal.to_string() })?;
        let flags = adapter.get_downlevel_capabilities().flags;
        let writes_storage = flags.contains(wgpu::DownlevelFlags::FRAGMENT_WRITABLE_STORAGE);
        Gpu::new(device, queue, writes_storage)
    }

    /// A device that is there already: its buffers can be looked at.
    pub(crate) fn with_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Gpu, ImageError> {
        // All interfaces but GL can do this wherever they can do the rest.
        let writes_storage = device.adapter_info().backend != wgpu::Backend::Gl;
        Gpu::new(device, queue, writes_storage)
    }

    fn new(device: wgpu::Device, queue: wgpu::Queue, writes_storage: bool) -> Result<Gpu, ImageError> {
        let info = device.adapter_info();
        let features = device.features();
        if !features.contains(wgpu::Features::DEPTH32FLOAT_STENCIL8) {
            let what = "depths in 32 bits with a stencil (the feature DEPTH32FLOAT_STENCIL8)";
            return Err(ImageError::Lacks { adapter: info.name, what });
        }
        let complaint = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&complaint);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut place = shared.lock().unwrap_or_else(PoisonError::into_inner);
            place.get_or_insert_with(|| error.to_string());
        }));
        let abilities = Abilities {
            blends_floats: features.contains(wgpu::Features::FLOAT32_BLENDABLE),
            // Five buffers that are read, and two that are written.
            writes_storage: writes_storage && device.limits().max_storage_buffers_per_shader_stage >= 7,
        };
        let pipelines = Pipelines::new(&device, abilities);
        let uploads = Uploads::new(&device);
        let gpu = Gpu {
            pipelines,
            targets: None,
            uploads,
            queries: Queries::new(&device),
            hits: HitList::new(&device),
            lists: None,
            complaint,
            expected_layers: 4,
            info,
            device,
            queue,
        };
        gpu.check()?;
        Ok(gpu)
    }

    /// Name, driver and interface of the adapter.
    pub(crate) fn name(&self) -> String {
        let wgpu::AdapterInfo { name, driver, driver_info, backend, .. } = &self.info;
        format!("{name} ({backend}, {driver} {driver_info})")
    }

    pub(crate) fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    pub(crate) fn look(&mut self, draw: &Draw<'_>) -> Result<Seen, ImageError> {
        let most = self.device.limits().max_texture_dimension_2d.min(SIDES[1]);
        if draw.view.side > most {
            return Err(ImageError::Resolution { asked: draw.view.side, least: SIDES[0], most });
        }
        let seen = look::look(self, draw);
        // What the device complained about is the cause of whatever else went wrong.
        self.check()?;
        seen
    }

    /// What the device has complained about since it was last asked.
    fn check(&self) -> Result<(), ImageError> {
        let mut place = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        place.take().map_or(Ok(()), |reason| Err(ImageError::Device { reason }))
    }
}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Gpu").field("adapter", &self.name()).finish_non_exhaustive()
    }
}

/// An adapter of the interface that `WGPU_BACKEND` names; otherwise of the platform's own, and of GL only where there is none.
fn find_adapter() -> Result<wgpu::Adapter, ImageError> {
    let asked = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    let is_free = asked.backends == wgpu::Backends::all();
    let first = if is_free { wgpu::Backends::PRIMARY } else { asked.backends };
    let rest = if is_free { wgpu::Backends::SECONDARY } else { wgpu::Backends::empty() };
    let wish = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..wgpu::RequestAdapterOptions::default()
    };
    let mut reason = String::new();
    for backends in [first, rest] {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends,
            ..wgpu::InstanceDescriptor::new_without_display_handle_from_env()
        });
        match pollster::block_on(instance.request_adapter(&wish)) {
            Ok(adapter) => return Ok(adapter),
            Err(refusal) => reason = refusal.to_string(),
        }
    }
    Err(ImageError::NoAdapter { reason })
}

/// As much as the adapter can hold, where that is more than what all can.
fn limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let can = adapter.limits();
    wgpu::Limits {
        max_buffer_size: can.max_buffer_size,
        max_storage_buffer_binding_size: can.max_storage_buffer_binding_size,
        max_texture_dimension_2d: can.max_texture_dimension_2d,
        max_storage_buffers_per_shader_stage: can.max_storage_buffers_per_shader_stage,
        ..wgpu::Limits::downlevel_defaults().using_resolution(can)
    }
}
