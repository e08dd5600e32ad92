import { CONNECTORS } from '@balcao/contract/connectors'
import type { BotContext } from '@balcao/engine/context'
import type { BotEffect } from '@balcao/engine/effect'
import { effectsOnLine } from '@balcao/engine/join-messages'
import { useMemo } from 'react'
import { PreviewPhone } from '#shared/preview/preview-phone.tsx'
import { usePreview } from '#shared/preview/use-preview.ts'
import { useLojaProdutos } from './use-loja-produtos.ts'

export interface MenuPreviewProps {
  readonly context: Omit<BotContext, 'produtos'>
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

const NO_PRODUTOS: BotContext['produtos'] = []

/** A separate chunk, because it includes the engine. */
export function MenuPreview({ context, highlighted, onHighlight }: MenuPreviewProps) {
  const produtos = useLojaProdutos()
  const shown = useMemo(() => {
    const { menu, whatsapp } = context.config
    const onLine = (effects: readonly BotEffect[]) => effectsOnLine(effects, menu, CONNECTORS[whatsapp.conector])
    return { ...context, onLine, produtos: produtos ?? NO_PRODUTOS }
  }, [context, produtos])
  const preview = usePreview(shown)
  return (
    <>
      <PreviewPhone preview={preview} highlighted={highlighted} onOptionHighlighted={onHighlight} />
      {produtos === undefined && (
        <p className="mx-auto mt-3 max-w-xs text-center text-sm text-balance text-muted">
          Os produtos da loja não aparecem nesta prévia.
        </p>
      )}
    </>
  )
}
