import type { Produto } from '@balcao/contract/entities/produto'
import type { Config } from '@balcao/contract/entities/config'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useConfig } from '#shared/data/config/use-config.ts'
import { PreviewMessages } from '#shared/preview/preview-messages.tsx'
import { useUsuario } from '#shared/session.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { lojaConversaOf } from './loja-conversa.ts'
import type { Catalog } from '#shared/data/produtos.ts'

interface LojaPreviewProps {
  readonly produto: Produto
  readonly catalog: Catalog
}

const noop = (): void => undefined

export function LojaPreview(props: LojaPreviewProps) {
  const { config } = useConfig()
  return config === null ? (
    <Skeleton className="h-96 w-full rounded-[2.2rem]" />
  ) : (
    <LojaPhone config={config} {...props} />
  )
}

function LojaPhone({ config, produto, catalog }: LojaPreviewProps & { readonly config: Config }) {
  const { empresa } = useUsuario()
  const [now] = useState(Date.now)
  const seen = useDeferredValue(produto)
  const { bubbles, numero } = lojaConversaOf({ config, empresa, catalogo: catalog }, seen, now)
  const frame = useRef<HTMLElement>(null)
  const scrollDown = (): void => {
    const log = frame.current?.querySelector<HTMLElement>('[role=log]')
    if (!log) return
    // Taller than other previews, to show list and product together.
    log.style.height = 'min(31rem, 60dvh)'
    log.scrollTop = log.scrollHeight
  }
  // The product is the last bubble.
  useEffect(scrollDown, [seen.imagemUrl])
  return (
    <section ref={frame} aria-label="Como aparece no WhatsApp" className="mx-auto w-full max-w-[22rem]">
      <div className="overflow-hidden rounded-[2.2rem] border-[7px] border-[oklch(0.23_0.022_168)] bg-surface shadow-pop dark:border-line">
        <p className="flex items-center gap-3 border-b px-4 py-2.5 font-bold">
          <span aria-hidden className="grid size-9 flex-none place-items-center rounded-full bg-brand text-on-brand">
            {empresa.trim().slice(0, 1).toUpperCase()}
          </span>
          <span className="truncate">{empresa}</span>
        </p>
        <div onLoadCapture={scrollDown}>
          <PreviewMessages preview={{ bubbles, typing: false, skip: noop }} highlighted={numero} />
        </div>
      </div>
      {!seen.ativo && (
        <p className="mt-3 rounded-xl bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
          Inativo: os clientes não veem este produto. Fica assim quando você ativar.
        </p>
      )}
    </section>
  )
}

export function ProdutoPreviewDialog({ onClose, ...preview }: LojaPreviewProps & { readonly onClose: () => void }) {
  return (
    <Dialog open title="Como aparece no WhatsApp" onClose={onClose}>
      <LojaPreview {...preview} />
    </Dialog>
  )
}
