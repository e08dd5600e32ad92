import type { BotContext } from '@balcao/engine/context'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'

export interface MenuPreviewProps {
  readonly context: BotContext
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

/** A separate chunk, because it includes the engine. */
export function MenuPreview({ context, highlighted, onHighlight }: MenuPreviewProps) {
  return <PreviewPhone preview={usePreview(context)} highlighted={highlighted} onOptionHighlighted={onHighlight} />
}
