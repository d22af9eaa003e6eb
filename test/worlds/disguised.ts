/** Ways to write an address of the store's own network, or one that nobody outside it has, as strangers try them. */
const HOSTS = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 127.0.0.1. 127.255.255.254
  %31%32%37.0.0.1 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 0.0.0.0 0
  10.0.0.1 10.255.255.255 0xa000001 167772161 172.16.0.1 172.31.255.255 192.168.1.1 3232235777
  169.254.169.254 2852039166 0xa9fea9fe 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1
  224.0.0.1 240.0.0.1 255.255.255.255
  [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [::127.0.0.1] [::a00:1]
  [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001::1] [2001:db8::1] [3fff::1]
  [fe80::1] [fec0::1] [fc00::1] [fd00::1] [ff02::1] [100::1] [5f00::1] [4000::1]
  localhost LOCALHOST user:word@example.com user@example.com`
  .trim()
  .split(/\s+/)
export const DISGUISED: readonly string[] = [
  ...HOSTS.map((host) => `https://${host}`),
  'http://example.com',
  'file:///etc/passwd',
  'ftp://example.com',
  'nonsense',
]
