import type { Midia } from '@balcao/contract/entities/mensagem'
import { lazy, Suspense } from 'react'
import { mediaBoxClass } from './media-box.ts'
import { mediaDescription } from './media-texts.ts'

export interface MensagemMediaProps {
  readonly midia: Midia
  readonly caption?: string | undefined
  /** True if the side that views this chat sent it. */
  readonly ours: boolean
}

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
