import { describe, expect, it } from 'vitest'
import { ipKey, ipv6Words, networkKey } from './ip-address.ts'

describe('ipKey', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'sem-endereco'],
    ['unknown', 'sem-endereco'],
  ])('maps %s to %s', (address, key) => {
    expect(ipKey(address)).toBe(key)
  })
})

describe('networkKey', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ])('maps %s to %s', (address, key) => {
    expect(networkKey(address)).toBe(key)
  })
})

describe('ipv6Words', () => {
  it('expands zeros and a dotted ending and refuses other texts', () => {
    expect(ipv6Words('1:2:3:4:5:6:7:8')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(ipv6Words('64:ff9b::10.0.0.1')).toEqual([0x64, 0xff9b, 0, 0, 0, 0, 0x0a00, 1])
    expect(ipv6Words('1::')).toEqual([1, 0, 0, 0, 0, 0, 0, 0])
    expect(ipv6Words('10.0.0.1')).toBeNull()
  })
})
