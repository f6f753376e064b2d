//! The disk as a file system that programs work on (FUSE), and the moment of a cut.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use fuser::{
    BackgroundSession, BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags,
    Generation, INodeNo, LockOwner, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request, TimeOrNow,
    WriteFlags,
};

use crate::disk::{Chance, Content, Disk, Loss, Node};

/// Nobody but the kernel changes anything, so it may remember what it was told.
const FOREVER: Duration = Duration::from_secs(3600);

/// The disk, and what would be left of it.
#[derive(Debug)]
struct Power {
    disk: Disk,
    /// After so many further changes and flushes the power fails.
    fails_in: Option<u64>,
    loss: Loss,
    chance: Chance,
    /// What was on the disk when the power failed. What is done since then is done for nothing.
    left: Option<Disk>,
}

/// Where programs work, until the power fails.
pub(crate) struct Mount {
    place: PathBuf,
    power: Arc<Mutex<Power>>,
    session: Option<BackgroundSession>,
}

impl Mount {
    /// # Errors
    /// What keeps a file system of this kind from being mounted here.
    pub(crate) fn new(place: &Path, seed: u64) -> io::Result<Self> {
        std::fs::create_dir_all(place)?;
        let power = Power {
            disk: Disk::new(),
            fails_in: None,
            loss: Loss::Everything,
            chance: Chance(seed),
            left: None,
        };
        let mut mount = Self { place: place.to_owned(), power: Arc::new(Mutex::new(power)), session: None };
        mount.session = Some(mount.mount()?);
        Ok(mount)
    }

    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// Lets the power fail now.
    pub(crate) fn fail(&self, loss: Loss) {
        let mut power = lock(&self.power);
        power.loss = loss;
        power.fail();
    }

    /// Lets the power fail after so many further changes and flushes.
    pub(crate) fn fail_in(&self, steps: u64, loss: Loss) {
        let mut power = lock(&self.power);
        (power.fails_in, power.loss) = (Some(steps), loss);
    }

    pub(crate) fn has_failed(&self) -> bool {
        lock(&self.power).left.is_some()
    }

    /// Starts again with what was left when the power failed. All programs that worked here have ended.
    pub(crate) fn start_again(&mut self) {
        if let Some(session) = self.session.take() {
            // The kernel lets go of a dead process's files a moment after it has ended.
            let mut tries = 0;
            let unmounted = loop {
                match rustix::mount::unmount(&self.place, rustix::mount::UnmountFlags::empty()) {
                    Err(rustix::io::Errno::BUSY) if tries < 500 => tries += 1,
                    end => break end,
                }
                std::thread::sleep(Duration::from_millis(20));
            };
            // Where only `fusermount` may do it, it is asked.
            if unmounted.is_ok() { session.join().unwrap() } else { session.umount_and_join().unwrap() }
        }
        let mut power = lock(&self.power);
        power.fails_in = None;
        power.disk = power.left.take().expect("the power failed");
        drop(power);
        self.session = Some(self.mount().unwrap());
    }

    fn mount(&self) -> io::Result<BackgroundSession> {
        let mut config = Config::default();
        config.mount_options.push(fuser::MountOption::FSName("power-cut".to_owned()));
        fuser::spawn_mount(Served(Arc::clone(&self.power)), &self.place, &config)
    }
}

fn lock(power: &Mutex<Power>) -> MutexGuard<'_, Power> {
    power.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Power {
    fn fail(&mut self) {
        if self.left.is_none() {
            self.left = Some(self.disk.after_cut(self.loss, &mut self.chance));
        }
    }

    /// Counts a change or a flush, before it is made.
    fn step(&mut self) {
        if let Some(left) = &mut self.fails_in {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.fail();
            }
        }
    }
}

struct Served(Arc<Mutex<Power>>);

impl Served {
    fn look(&self) -> MutexGuard<'_, Power> {
        lock(&self.0)
    }

    fn change(&self) -> MutexGuard<'_, Power> {
        let mut power = lock(&self.0);
        power.step();
        power
    }
}

fn attributes(number: u64, node: &Node) -> FileAttr {
    let (kind, size) = match &node.content {
        Content::File { bytes, .. } => (FileType::RegularFile, bytes.len() as u64),
        Content::Folder { .. } => (FileType::Directory, 4096),
        Content::Link(target) => (FileType::Symlink, target.as_os_str().len() as u64),
    };
    FileAttr {
        ino: INodeNo(number),
        size,
        blocks: size.div_ceil(512),
        atime: node.modified,
        mtime: node.modified,
        ctime: node.modified,
        crtime: node.modified,
        kind,
        perm: node.mode,
        nlink: if kind == FileType::Directory { 2 } else { 1 },
        uid: owner().0,
        gid: owner().1,
        rdev: 0,
        blksize: 4096,
        flags: 0,
    }
}

/// Whoever runs the test.
fn owner() -> (u32, u32) {
    (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw())
}

fn mode(mode: u32, umask: u32) -> u16 {
    u16::try_from(mode & !umask & 0o7777).unwrap_or(0o700)
}

fn entry(power: &Power, number: Option<u64>, reply: ReplyEntry) {
    match number.and_then(|number| Some((number, power.disk.node(number)?))) {
        Some((number, node)) => reply.entry(&FOREVER, &attributes(number, node), Generation(0)),
        None => reply.error(Errno::ENOENT),
    }
}

impl Filesystem for Served {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let power = self.look();
        entry(&power, power.disk.find(parent.0, name), reply);
    }

    fn getattr(&self, _: &Request, number: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.look().disk.node(number.0) {
            Some(node) => reply.attr(&FOREVER, &attributes(number.0, node)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn setattr(
        &self,
        _: &Request,
        number: INodeNo,
        new_mode: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        modified: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let mut power = self.change();
        let Some(node) = power.disk.node_mut(number.0) else { return reply.error(Errno::ENOENT) };
        if let Some(new) = new_mode {
            node.mode = mode(new, 0);
        }
        if let (Some(size), Content::File { bytes, .. }) = (size, &mut node.content) {
            Arc::make_mut(bytes).resize(usize::try_from(size).unwrap_or(0), 0);
            node.modified = SystemTime::now();
        }
        match modified {
            Some(TimeOrNow::SpecificTime(time)) => node.modified = time,
            Some(TimeOrNow::Now) => node.modified = SystemTime::now(),
            None => {}
        }
        reply.attr(&FOREVER, &attributes(number.0, node));
    }

    fn readlink(&self, _: &Request, number: INodeNo, reply: ReplyData) {
        match self.look().disk.node(number.0).map(|node| &node.content) {
            Some(Content::Link(target)) => reply.data(target.as_os_str().as_encoded_bytes()),
            _ => reply.error(Errno::EINVAL),
        }
    }

    fn mkdir(&self, _: &Request, parent: INodeNo, name: &OsStr, new: u32, umask: u32, reply: ReplyEntry) {
        let mut power = self.change();
        let number = power.disk.make(parent.0, name, Content::folder(), mode(new, umask));
        entry(&power, Some(number), reply);
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        self.change().disk.change(vec![(parent.0, name.to_owned(), None)]);
        reply.ok();
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        let mut power = self.change();
        let number = power.disk.find(parent.0, name);
        if number.and_then(|number| power.disk.names(number)).is_some_and(|names| !names.is_empty()) {
            return reply.error(Errno::ENOTEMPTY);
        }
        power.disk.change(vec![(parent.0, name.to_owned(), None)]);
        reply.ok();
    }

    fn symlink(&self, _: &Request, parent: INodeNo, name: &OsStr, target: &Path, reply: ReplyEntry) {
        let mut power = self.change();
        let number = power.disk.make(parent.0, name, Content::Link(target.to_owned()), 0o777);
        entry(&power, Some(number), reply);
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let mut power = self.change();
        let Some(number) = power.disk.find(parent.0, name) else { return reply.error(Errno::ENOENT) };
        let there = power.disk.find(new_parent.0, new_name);
        if flags.contains(RenameFlags::RENAME_NOREPLACE) && there.is_some() {
            return reply.error(Errno::EEXIST);
        }
        let back = if flags.contains(RenameFlags::RENAME_EXCHANGE) {
            if there.is_none() {
                return reply.error(Errno::ENOENT);
            }
            there
        } else {
            let names = there.and_then(|there| power.disk.names(there));
            if names.is_some_and(|names| !names.is_empty()) {
                return reply.error(Errno::ENOTEMPTY);
            }
            None
        };
        let old = (parent.0, name.to_owned(), back);
        power.disk.change(vec![old, (new_parent.0, new_name.to_owned(), Some(number))]);
        reply.ok();
    }

    fn link(&self, _: &Request, number: INodeNo, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let mut power = self.change();
        if power.disk.find(parent.0, name).is_some() {
            return reply.error(Errno::EEXIST);
        }
        power.disk.change(vec![(parent.0, name.to_owned(), Some(number.0))]);
        entry(&power, Some(number.0), reply);
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        reply.opened(FileHandle(0), FopenFlags::FOPEN_KEEP_CACHE);
    }

    fn create(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        new: u32,
        umask: u32,
        _: i32,
        reply: ReplyCreate,
    ) {
        let mut power = self.change();
        let number = power.disk.make(parent.0, name, Content::file(), mode(new, umask));
        let node = power.disk.node(number).expect("it was made just now");
        let attributes = attributes(number, node);
        reply.created(&FOREVER, &attributes, Generation(0), FileHandle(0), FopenFlags::FOPEN_KEEP_CACHE);
    }

    fn read(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let power = self.look();
        let Some(Content::File { bytes, .. }) = power.disk.node(number.0).map(|node| &node.content) else {
            return reply.error(Errno::ENOENT);
        };
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let until = from.saturating_add(size as usize).min(bytes.len());
        reply.data(&bytes[from..until]);
    }

    fn write(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let mut power = self.change();
        let Some(node) = power.disk.node_mut(number.0) else { return reply.error(Errno::ENOENT) };
        let Content::File { bytes, .. } = &mut node.content else { return reply.error(Errno::EINVAL) };
        let bytes = Arc::make_mut(bytes);
        let from = usize::try_from(offset).expect("a file of this disk is small");
        if bytes.len() < from + data.len() {
            bytes.resize(from + data.len(), 0);
        }
        bytes[from..from + data.len()].copy_from_slice(data);
        node.modified = SystemTime::now();
        reply.written(u32::try_from(data.len()).expect("the kernel writes little at once"));
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        // Closing a file says nothing about the disk.
        reply.ok();
    }

    fn fsync(&self, _: &Request, number: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.change().disk.flush(number.0);
        reply.ok();
    }

    fn fsyncdir(&self, _: &Request, number: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.change().disk.flush(number.0);
        reply.ok();
    }

    fn readdir(&self, _: &Request, number: INodeNo, _: FileHandle, offset: u64, mut reply: ReplyDirectory) {
        let power = self.look();
        let Some(names) = power.disk.names(number.0) else { return reply.error(Errno::ENOTDIR) };
        let own = [(OsStr::new("."), number.0), (OsStr::new(".."), number.0)];
        let all = own.into_iter().chain(names.iter().map(|(name, number)| (name.as_os_str(), *number)));
        for (at, (name, number)) in (1_u64..).zip(all).skip(usize::try_from(offset).unwrap_or(0)) {
            let kind =
                power.disk.node(number).map_or(FileType::RegularFile, |node| attributes(number, node).kind);
            if reply.add(INodeNo(number), at, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        const BLOCKS: u64 = 1 << 24;
        reply.statfs(BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCKS, 4096, 255, 4096);
    }
}
