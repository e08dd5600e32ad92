import type { Produto } from '@balcao/contract/entities/produto'
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { ErrorState } from '#shared/ui/states.tsx'
import { LojaBar, PRODUTOS_TITLE_ID } from './catalogo/loja-bar.tsx'
import { filterProdutos, NO_PRODUTO_FILTER } from './catalogo/produto-filter.ts'
import { ProdutoGrid } from './catalogo/produto-grid.tsx'
import { LojaFigures } from './loja-figures.tsx'
import { type Catalog, useProdutos } from './produtos.ts'
import { useProdutoActions } from './catalogo/use-produto-actions.ts'
import { useProdutoOrder } from './catalogo/use-produto-order.ts'
import { LojaSkeleton, NoMatchingProdutos, NoProdutos } from './catalogo/loja-empty-states.tsx'

const ProdutoForm = lazy(async () => ({ default: (await import('./produto/produto-form.tsx')).ProdutoForm }))
const ProdutoPreviewDialog = lazy(async () => ({
  default: (await import('./produto/produto-preview-dialog.tsx')).ProdutoPreviewDialog,
}))

const LOAD_ERROR = 'Erro ao carregar produtos'

export function LojaTab() {
  const { data, error, isFetching, refetch } = useProdutos()
  if (data !== undefined) return <LojaContent produtos={data} />
  if (error === null || isFetching) return <LojaSkeleton />
  const mensagem = error.message === LOAD_ERROR ? LOAD_ERROR : `${LOAD_ERROR}: ${error.message}`
  return <ErrorState message={mensagem} onRetry={() => void refetch()} />
}

type OpenDialog =
  | { readonly tipo: 'novo'; readonly exemplo: boolean }
  | { readonly tipo: 'editar' | 'ver' | 'excluir'; readonly produto: Produto }

interface DeleteProdutoProps {
  readonly produto: Produto | null
  readonly onDelete: (produto: Produto) => Promise<void>
  readonly onClose: () => void
}

function DeleteProduto({ produto, onDelete, onClose }: DeleteProdutoProps) {
  const apagou = useRef(false)
  const confirm = async (): Promise<void> => {
    if (produto === null) return
    await onDelete(produto)
    apagou.current = true
  }
  // The button that opened the dialog is deleted with its card. Focus moves only after closing, because the page is
  // inert before.
  useEffect(() => {
    if (produto !== null || !apagou.current) return
    apagou.current = false
    document.getElementById(PRODUTOS_TITLE_ID)?.focus()
  }, [produto])
  return (
    <ConfirmDialog
      open={produto !== null}
      title={`Excluir ${produto?.nome ?? ''}?`}
      confirmLabel="Excluir produto"
      onConfirm={confirm}
      onClose={onClose}
    >
      Ele sai da loja na hora, e não dá para desfazer. Para só escondê-lo dos clientes, desative-o.
    </ConfirmDialog>
  )
}

function LojaContent({ produtos }: { produtos: Catalog }) {
  const { alternar, excluir } = useProdutoActions()
  const { mover, anuncio } = useProdutoOrder()
  const [filtro, setFiltro] = useState(NO_PRODUTO_FILTER)
  const [aberto, setAberto] = useState<OpenDialog | null>(null)
  const visible = filterProdutos(produtos, useDeferredValue(filtro))
  const close = (): void => setAberto(null)
  const abrir = (tipo: 'editar' | 'ver' | 'excluir') => (produto: Produto) => setAberto({ tipo, produto })
  const fresh = (exemplo: boolean) => (): void => setAberto({ tipo: 'novo', exemplo })
  return (
    <div className="grid gap-6">
      <LojaFigures produtos={produtos} />
      <section aria-label="Catálogo" className="grid gap-4">
        <LojaBar produtos={produtos} filter={filtro} onFilter={setFiltro} onNew={fresh(false)} />
        {produtos.length === 0 ? (
          <NoProdutos onNovo={fresh(false)} onExemplo={fresh(true)} />
        ) : visible.length === 0 ? (
          <NoMatchingProdutos onLimpar={() => setFiltro(NO_PRODUTO_FILTER)} />
        ) : (
          <ProdutoGrid
            produtos={visible}
            onMove={({ id }, target) => mover(id, produtos.indexOf(target))}
            onToggle={(produto, active) => void alternar(produto, active)}
            onEdit={abrir('editar')}
            onView={abrir('ver')}
            onDelete={abrir('excluir')}
          />
        )}
        <p role="status" className="sr-only">
          {anuncio}
        </p>
      </section>
      <Suspense>
        {aberto?.tipo === 'novo' && (
          <ProdutoForm produto={null} sample={aberto.exemplo} catalog={produtos} onClose={close} />
        )}
        {aberto?.tipo === 'editar' && (
          <ProdutoForm produto={aberto.produto} sample={false} catalog={produtos} onClose={close} />
        )}
        {aberto?.tipo === 'ver' && (
          <ProdutoPreviewDialog produto={aberto.produto} catalog={produtos} onFechar={close} />
        )}
      </Suspense>
      <DeleteProduto produto={aberto?.tipo === 'excluir' ? aberto.produto : null} onDelete={excluir} onClose={close} />
    </div>
  )
}
