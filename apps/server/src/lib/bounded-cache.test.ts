import { describe, expect, it } from 'vitest'
import { createBoundedCache } from './bounded-cache.ts'

describe('createBoundedCache', () => {
  it('keeps at most `limit` entries, the most recently used ones', () => {
    const cache = createBoundedCache<string>(100)
    for (let n = 0; n < 1_000; n += 1) {
      cache.set(`contato ${n}`, 'id')
      cache.get('contato 0')
    }
    expect(cache.size).toBe(100)
    expect(cache.has('contato 0')).toBe(true)
    expect(cache.has('contato 900')).toBe(false)
    expect(cache.has('contato 999')).toBe(true)
  })
})
