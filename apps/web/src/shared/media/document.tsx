import type { Midia } from '@balcao/contract/entities/mensagem'
import { Download, type Mic } from 'lucide-react'
import { mediaBoxClass } from './media-box.ts'
import { mediaDescription, mediaName, typeAndSize } from './media-texts.ts'

export interface MediaDocumentProps {
  readonly midia: Midia
  readonly url: string
  readonly ours: boolean
  readonly icon: typeof Mic
}

export function MediaDocument({ midia, url, ours, icon: Icone }: MediaDocumentProps) {
  const detail = typeAndSize(midia)
  return (
    <a
      href={url}
      download={midia.nomeArquivo ?? ''}
      className={`flex items-center gap-2.5 rounded-lg border border-line bg-surface px-2.5 py-2 text-ink no-underline ${mediaBoxClass(midia)}`}
    >
      <span aria-hidden className="grid size-9 flex-none place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Icone size={18} />
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="sr-only">{mediaDescription(midia, ours)}: </span>
        <span className="block truncate text-sm font-semibold">{mediaName(midia)}</span>
        {detail !== '' && <span className="block text-xs text-muted tabular-nums">{detail}</span>}
      </span>
      <Download size={18} aria-hidden className="flex-none text-muted" />
    </a>
  )
}
