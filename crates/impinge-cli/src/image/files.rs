//! The two PNG files: both whole, or neither.

use impinge_report::terminal::Error;
use impinge_report::terminal::{self};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::render::Picture;

/// The names of the picture of the scene and of that of the stencil.
pub(super) struct PngFiles([PathBuf; 2]);

impl PngFiles {
    /// Refuses names that are no PNG files, and folders that are not there.
    pub(super) fn named(file: &Path) -> Result<PngFiles, Error> {
        let refused = |reason: &str| Error::file(file, reason.to_owned());
        let is_png = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        let stem =
            file.file_stem().filter(|_| is_png).ok_or_else(|| refused("its extension must be .png"))?;
        let mut name = stem.to_owned();
        name.push("-stencil.png");
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(refused("cannot be written: its folder is not there"));
        }
        if file.is_dir() {
            return Err(refused("cannot be written: it is a folder"));
        }
        Ok(PngFiles([file.to_owned(), file.with_file_name(name)]))
    }

    /// Files that are read are not replaced.
    pub(super) fn refuse_inputs<'p>(
        &self,
        inputs: &(impl Iterator<Item = &'p PathBuf> + Clone),
    ) -> Result<(), Error> {
        self.0.iter().try_for_each(|file| terminal::refuse_inputs("--png", Some(file), inputs.clone()))
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|file| file.display().to_string()).collect()
    }

    /// Both are written beside their places, and take them when they are complete.
    pub(super) fn write(&self, pictures: &[Picture; 2]) -> Result<(), Error> {
        let mut beside: Vec<PathBuf> = Vec::new();
        let written = self.write_beside(pictures, &mut beside).and_then(|()| {
            self.0.iter().zip(&beside).try_for_each(|(file, part)| {
                fs::rename(part, file).map_err(|error| Error::unwritable(file, &error))
            })
        });
        if written.is_err() {
            for part in &beside {
                // The error that matters is the first one.
                let _ = fs::remove_file(part);
            }
        }
        written
    }

    fn write_beside(&self, pictures: &[Picture; 2], beside: &mut Vec<PathBuf>) -> Result<(), Error> {
        for (file, picture) in self.0.iter().zip(pictures) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let part = file.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
            let bytes = encode(picture).map_err(|error| Error::unwritable(file, &error))?;
            beside.push(part.clone());
            fs::write(part, bytes).map_err(|error| Error::unwritable(file, &error))?;
        }
        Ok(())
    }
}

fn encode(picture: &Picture) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width as u32, picture.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels.as_flattened())?;
    writer.finish()?;
    Ok(file)
}
