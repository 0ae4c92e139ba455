//! Permissions of outputs.

/// Readers of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The old file's readers; for a new file, the user's mask decides.
    Kept,
    /// Only the owner.
    Private,
}

#[cfg(unix)]
pub use unix::{mode, take_over};

#[cfg(unix)]
mod unix {
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{fchown, MetadataExt, PermissionsExt};

    use super::Access;

    /// Permissions of new files, before the user's mask.
    const ANYBODY: u32 = 0o666;
    const OWNER: u32 = 0o600;
    const GROUP: u32 = 0o070;

    /// Returns the mode of the temporary file, which never allows more readers than the output.
    pub fn mode(old: Option<&Metadata>, access: Access) -> u32 {
        match access == Access::Private || old.is_some() {
            true => OWNER,
            false => ANYBODY,
        }
    }

    /// Gives a new file the owner, the group and the permissions of the old file.
    pub fn take_over(file: &File, old: &Metadata, access: Access) -> io::Result<()> {
        let own = file.metadata()?;
        // Only the superuser may give files away. Other users keep the files that they make.
        let _ = (old.uid() != own.uid()).then(|| fchown(file, Some(old.uid()), None));
        let has_group = old.gid() == own.gid() || fchown(file, None, Some(old.gid())).is_ok();
        if access == Access::Private {
            return Ok(());
        }
        // Permissions of one group do not pass to another group.
        let mode = old.mode() & 0o777 & if has_group { !0 } else { !GROUP };
        match own.mode() & 0o777 == mode {
            true => Ok(()),
            false => file.set_permissions(Permissions::from_mode(mode)),
        }
    }
}

#[cfg(not(unix))]
pub use other::{mode, take_over};

/// Systems without modes: the folder determines the permissions of an output.
#[cfg(not(unix))]
mod other {
    use std::fs::{File, Metadata};
    use std::io;

    use super::Access;

    pub fn mode(_: Option<&Metadata>, _: Access) -> u32 {
        0
    }

    pub fn take_over(_: &File, _: &Metadata, _: Access) -> io::Result<()> {
        Ok(())
    }
}
