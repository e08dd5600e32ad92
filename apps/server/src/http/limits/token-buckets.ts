import { createBoundedCache } from '#lib/bounded-cache.ts'

const KEYS_MAX = 10_000

interface Bucket {
  left: number
  at: number
}

interface BucketLimit {
  readonly perSecond: number
  readonly burst: number
}

export function createTokenBuckets({ perSecond, burst }: BucketLimit): (key: string) => boolean {
  const buckets = createBoundedCache<Bucket>(KEYS_MAX)
  return (key) => {
    const now = performance.now()
    const bucket = buckets.get(key) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) * perSecond) / 1_000)
    bucket.at = now
    buckets.set(key, bucket)
    if (bucket.left < 1) return false
    bucket.left -= 1
    return true
  }
}
