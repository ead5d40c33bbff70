# Portable kernels.
