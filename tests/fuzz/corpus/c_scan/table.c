static const float w[] = {
    0x1.0p-3f,  0x1.1p-3f,  0x1.2p-3f,  0x1.3p-3f,  0x1.4p-3f,  0x1.5p-3f,  0x1.6p-3f,  0x1.7p-3f,  0x1.8p-3f,
    0x1.9p-3f,  0x1.10p-3f, 0x1.11p-3f, 0x1.12p-3f, 0x1.13p-3f, 0x1.14p-3f, 0x1.15p-3f, 0x1.16p-3f, 0x1.17p-3f,
    0x1.18p-3f, 0x1.19p-3f, 0x1.20p-3f, 0x1.21p-3f, 0x1.22p-3f, 0x1.23p-3f, 0x1.24p-3f, 0x1.25p-3f, 0x1.26p-3f,
    0x1.27p-3f, 0x1.28p-3f, 0x1.29p-3f, 0x1.30p-3f, 0x1.31p-3f, 0x1.32p-3f, 0x1.33p-3f, 0x1.34p-3f, 0x1.35p-3f,
    0x1.36p-3f, 0x1.37p-3f, 0x1.38p-3f, 0x1.39p-3f, 0x1.40p-3f, 0x1.41p-3f, 0x1.42p-3f, 0x1.43p-3f, 0x1.44p-3f,
    0x1.45p-3f, 0x1.46p-3f, 0x1.47p-3f, 0x1.48p-3f, 0x1.49p-3f, 0x1.50p-3f, 0x1.51p-3f, 0x1.52p-3f, 0x1.53p-3f,
    0x1.54p-3f, 0x1.55p-3f, 0x1.56p-3f, 0x1.57p-3f, 0x1.58p-3f, 0x1.59p-3f, 0x1.60p-3f, 0x1.61p-3f, 0x1.62p-3f,
    0x1.63p-3f, 0x1.64p-3f, 0x1.65p-3f, 0x1.66p-3f, 0x1.67p-3f, 0x1.68p-3f, 0x1.69p-3f};
const char* s =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "b";
void g(void) {
  float v[2] = {0};
  _Pragma("x")
}
