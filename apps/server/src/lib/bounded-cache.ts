import { LRUCache } from 'lru-cache'

/**
 * Cache that evicts the least recently used entry. Grows on demand: the option `max` of the library would allocate
 * 27 bytes per entry up front.
 */
export function createBoundedCache<V extends object | string | number | true>(limit: number): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: limit, sizeCalculation: () => 1 })
}
