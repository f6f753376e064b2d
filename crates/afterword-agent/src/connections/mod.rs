//! Connections: the tool servers (MCP) that conversations may use.
//!
//! Start reading at [`servers`], which gives a run exactly those its conversation names.

pub(crate) mod servers;
