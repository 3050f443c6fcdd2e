//! What looks: the processor, or a graphics device.

use crate::answer::Answer;
use crate::find;
use crate::gpu::Gpu;
use crate::look::{self, Draw, Seen};
use crate::options::Options;
use crate::precision::Rounding;
use crate::scene::{Scene, Shape};
use crate::{ImageError, cpu};

/// What draws and looks. It keeps what it has set up from one question to the next.
#[derive(Debug)]
pub struct Device {
    kind: Kind,
    /// Kept, so that a graphics device needs to be brought it only once.
    unit_box: Option<Shape>,
}

/// The choice of what draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum DeviceChoice {
    /// A graphics adapter that is hardware, and the processor where there is none
    #[default]
    Auto,
    /// A graphics adapter, a software driver too; an error where there is none
    Gpu,
    /// The processor
    Cpu,
}

impl DeviceChoice {
    /// Opens the device.
    pub fn open(self) -> Result<Device, ImageError> {
        match self {
            DeviceChoice::Auto => Ok(Device::best()),
            DeviceChoice::Gpu => Device::graphics(),
            DeviceChoice::Cpu => Ok(Device::processor()),
        }
    }
}

#[derive(Debug)]
enum Kind {
    Processor,
    Graphics(Box<Gpu>),
}

impl Device {
    fn of(kind: Kind) -> Device {
        Device { kind, unit_box: look::unit_box() }
    }

    /// A box as a shape, for coarse looks: two units a side around the origin.
    pub(crate) fn unit_box(&self) -> Option<Shape> {
        self.unit_box.clone()
    }

    /// The processor, all its cores: an exact rasteriser with the same passes.
    pub fn processor() -> Device {
        Device::of(Kind::Processor)
    }

    /// The best graphics adapter of the machine; a software driver serves as well.
    pub fn graphics() -> Result<Device, ImageError> {
        Ok(Device::of(Kind::Graphics(Box::new(Gpu::open()?))))
    }

    /// A graphics device that is there already, so that its buffers can be looked at
    /// ([`Scene::set_vertices_on_device`]). Needs the features `DEPTH32FLOAT_STENCIL8` and, to tell pairs apart,
    /// `FLOAT32_BLENDABLE`, and five storage buffers a shader stage. Errors of the device that nobody else asks for are
    /// taken in by this from now on.
    pub fn with_wgpu(device: wgpu::Device, queue: wgpu::Queue) -> Result<Device, ImageError> {
        Ok(Device::of(Kind::Graphics(Box::new(Gpu::with_device(device, queue)?))))
    }

    /// A graphics adapter where there is one that is hardware, and the processor otherwise.
    pub fn best() -> Device {
        match Gpu::open() {
            Ok(gpu) if !gpu.is_software() => Device::of(Kind::Graphics(Box::new(gpu))),
            _ => Device::processor(),
        }
    }

    /// What looks, to be printed: adapter, driver and interface, or the processor.
    pub fn name(&self) -> String {
        match &self.kind {
            Kind::Processor => "the processor".to_owned(),
            Kind::Graphics(gpu) => gpu.name(),
        }
    }

    /// Looks at a scene.
    pub fn find(&mut self, scene: &Scene, options: &Options) -> Result<Answer, ImageError> {
        find::find(self, scene, options)
    }

    pub(crate) fn look(&mut self, draw: &Draw<'_>) -> Result<Seen, ImageError> {
        match &mut self.kind {
            Kind::Processor => cpu::look(draw),
            Kind::Graphics(gpu) => gpu.look(draw),
        }
    }

    pub(crate) fn rounding(&self) -> Rounding {
        match &self.kind {
            Kind::Processor => Rounding::DOUBLE,
            Kind::Graphics(_) => Rounding::SINGLE,
        }
    }
}
