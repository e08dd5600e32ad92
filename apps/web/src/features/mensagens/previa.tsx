import type { BotContext } from '@balcao/engine/context'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'

export interface PreviaProps {
  readonly contexto: BotContext
  readonly destaque: string | null
  readonly onDestacar: (numero: string | null) => void
}

/** The phone over the draft; the engine comes with it, in a chunk of its own. */
export function Previa({ contexto, destaque, onDestacar }: PreviaProps) {
  return <PreviewPhone preview={usePreview(contexto)} destaque={destaque} onOpcaoDestacada={onDestacar} />
}
