"""Serves a model on loopback with llama.cpp's own server: llama.py MODEL PORT CONTEXT. Ends when its input ends."""

import sys

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.n_ctx = int(sys.argv[3])
parameters.n_parallel = 1
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[2])
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.warmup = False
server = xllamacpp.Server(parameters)
print("listening", flush=True)
sys.stdin.read()
