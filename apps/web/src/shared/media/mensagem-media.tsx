import { lazy, Suspense } from 'react'
import { mediaBoxClass } from './media-box.ts'
import type { MensagemMediaProps } from './media-content.tsx'
import { mediaDescription } from './media-texts.ts'

const LazyMediaContent = lazy(async () => ({ default: (await import('./media-content.tsx')).MediaContent }))

export function MensagemMedia(props: MensagemMediaProps) {
  const { midia, ours } = props
  return (
    <Suspense
      fallback={
        <div className={`skeleton ${mediaBoxClass(midia)}`}>
          <span className="sr-only">{mediaDescription(midia, ours)}</span>
        </div>
      }
    >
      <LazyMediaContent {...props} />
    </Suspense>
  )
}
