import type { BotContext } from '@balcao/engine/context'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'

export interface PreviaProps {
  readonly contexto: BotContext
  readonly destaque: string | null
  readonly onDestacar: (numero: string | null) => void
}

/** A separate chunk, because it includes the engine. */
export function Previa({ contexto, destaque, onDestacar }: PreviaProps) {
  return <PreviewPhone preview={usePreview(contexto)} destaque={destaque} onOpcaoDestacada={onDestacar} />
}
