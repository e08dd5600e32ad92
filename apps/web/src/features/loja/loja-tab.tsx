import type { Produto } from '@balcao/contract/entities/produto'
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { ErrorState } from '#shared/ui/states.tsx'
import { LojaBar, PRODUTOS_TITLE_ID } from './catalogo/loja-bar.tsx'
import { filterProdutos, NO_PRODUTO_FILTER } from './catalogo/produto-filter.ts'
import { ProdutoGrid } from './catalogo/produto-grid.tsx'
import { LojaFigures } from './loja-figures.tsx'
import { type Catalog, useProdutos } from '#shared/data/produtos.ts'
import { useProdutoActions } from './catalogo/use-produto-actions.ts'
import { useProdutoOrder } from './catalogo/use-produto-order.ts'
import { LojaSkeleton, NoMatchingProdutos, NoProdutos } from './catalogo/loja-empty-states.tsx'

const ProdutoForm = lazy(async () => ({ default: (await import('./produto/produto-form.tsx')).ProdutoForm }))
const ProdutoPreviewDialog = lazy(async () => ({
  default: (await import('./produto/loja-preview.tsx')).ProdutoPreviewDialog,
}))

const LOAD_ERROR = 'Erro ao carregar produtos'

export function LojaTab() {
  const { data, error, isFetching, refetch } = useProdutos()
  if (data !== undefined) return <LojaContent produtos={data} />
  if (error === null || isFetching) return <LojaSkeleton />
  const message = error.message === LOAD_ERROR ? LOAD_ERROR : `${LOAD_ERROR}: ${error.message}`
  return <ErrorState message={message} onRetry={() => void refetch()} />
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
  const deleted = useRef(false)
  const confirm = async (): Promise<void> => {
    if (produto === null) return
    await onDelete(produto)
    deleted.current = true
  }
  // The button that opened the dialog is deleted with its card. Focus moves only after closing, because the page is
  // inert before.
  useEffect(() => {
    if (produto !== null || !deleted.current) return
    deleted.current = false
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
  const { toggle, remove } = useProdutoActions()
  const { move, announcement } = useProdutoOrder()
  const [filter, setFilter] = useState(NO_PRODUTO_FILTER)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const visible = filterProdutos(produtos, useDeferredValue(filter))
  const close = (): void => setDialog(null)
  const open = (tipo: 'editar' | 'ver' | 'excluir') => (produto: Produto) => setDialog({ tipo, produto })
  const create = (exemplo: boolean) => (): void => setDialog({ tipo: 'novo', exemplo })
  return (
    <div className="grid gap-6">
      <LojaFigures produtos={produtos} />
      <section aria-label="Catálogo" className="grid gap-4">
        <LojaBar produtos={produtos} filter={filter} onFilter={setFilter} onNew={create(false)} />
        {produtos.length === 0 ? (
          <NoProdutos onNew={create(false)} onSample={create(true)} />
        ) : visible.length === 0 ? (
          <NoMatchingProdutos onClear={() => setFilter(NO_PRODUTO_FILTER)} />
        ) : (
          <ProdutoGrid
            produtos={visible}
            onMove={({ id }, target) => move(id, produtos.indexOf(target))}
            onToggle={(produto, active) => void toggle(produto, active)}
            onEdit={open('editar')}
            onView={open('ver')}
            onDelete={open('excluir')}
          />
        )}
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </section>
      <Suspense>
        {dialog?.tipo === 'novo' && (
          <ProdutoForm produto={null} sample={dialog.exemplo} catalog={produtos} onClose={close} />
        )}
        {dialog?.tipo === 'editar' && (
          <ProdutoForm produto={dialog.produto} sample={false} catalog={produtos} onClose={close} />
        )}
        {dialog?.tipo === 'ver' && <ProdutoPreviewDialog produto={dialog.produto} catalog={produtos} onClose={close} />}
      </Suspense>
      <DeleteProduto produto={dialog?.tipo === 'excluir' ? dialog.produto : null} onDelete={remove} onClose={close} />
    </div>
  )
}
