import { Suspense, lazy, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Package, Plus, Search } from 'lucide-react'
import type { Produto } from '@balcao/contract/entities/produto'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { type Catalog, useProdutos } from '#shared/data/produtos.ts'
import { Button } from '#shared/ui/button.tsx'
import { LojaBar, PRODUTOS_TITLE_ID, NO_PRODUTO_FILTER, filterProdutos } from './loja-bar.tsx'
import { LojaFigures } from '#features/loja/loja-figures.tsx'
import { useProdutoActions, useProdutoOrder } from './catalog.ts'
import { startDrag } from './drag.ts'
import { ProdutoCard } from './produto-card.tsx'

function NoProdutos({ onNew, onSample }: { onNew: () => void; onSample: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Cadastre o primeiro produto"
        icon={<Package size={22} aria-hidden />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" className="min-h-11" onClick={onNew}>
              <Plus size={18} aria-hidden /> Cadastrar produto
            </Button>
            <Button className="min-h-11" onClick={onSample}>
              Começar de um exemplo
            </Button>
          </div>
        }
      >
        O bot mostra sua loja na conversa: o cliente escolhe pelo número e recebe a foto, o preço e o link de compra.
      </EmptyState>
    </div>
  )
}

function NoMatchingProdutos({ onClear }: { onClear: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Nada com este filtro"
        icon={<Search size={22} aria-hidden />}
        action={<Button onClick={onClear}>Limpar</Button>}
      >
        Nenhum produto combina com a busca e a situação escolhidas.
      </EmptyState>
    </div>
  )
}

function LojaSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os produtos" className="grid gap-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((figure) => (
          <Skeleton key={figure} className="h-24 rounded-card" />
        ))}
      </div>
      <Skeleton className="h-11 w-full" />
      <div className={GRID_CLASS}>
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-72 rounded-card" />
        ))}
      </div>
    </div>
  )
}

const GRID_CLASS = 'grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4'

interface ProdutoGridProps {
  readonly produtos: Catalog
  readonly onMove: (produto: Produto, target: Produto) => void
  readonly onToggle: (produto: Produto, active: boolean) => void
  readonly onPause: (produto: Produto, until: string | null) => void
  readonly onEdit: (produto: Produto) => void
  readonly onView: (produto: Produto) => void
  readonly onDelete: (produto: Produto) => void
}

/** Cards in the customers' order. Under a filter a move skips the hidden products. */
function ProdutoGrid({ produtos, onMove, onToggle, onPause, onEdit, onView, onDelete }: ProdutoGridProps) {
  const move = (produto: Produto, para: number): void => {
    const target = produtos[para]
    if (target !== undefined) onMove(produto, target)
  }
  return (
    <ul aria-label="Produtos" className={GRID_CLASS}>
      {produtos.map((produto, index) => (
        <ProdutoCard
          key={produto.id}
          produto={produto}
          first={index === 0}
          last={index === produtos.length - 1}
          onMove={(step) => move(produto, index + step)}
          onGrab={(event) => startDrag(event, (para) => move(produto, para))}
          onToggle={(active) => onToggle(produto, active)}
          onPause={(until) => onPause(produto, until)}
          onEdit={() => onEdit(produto)}
          onView={() => onView(produto)}
          onDelete={() => onDelete(produto)}
        />
      ))}
    </ul>
  )
}

const ProdutoForm = lazy(async () => ({
  default: (await import('#features/loja/produto/produto-form.tsx')).ProdutoForm,
}))
const ProdutoPreviewDialog = lazy(async () => ({
  default: (await import('#features/loja/produto/loja-preview.tsx')).ProdutoPreviewDialog,
}))

const SampleDialog = lazy(async () => ({
  default: (await import('#features/loja/exemplos/sample-dialog.tsx')).SampleDialog,
}))

const LOAD_ERROR = 'Erro ao carregar produtos'

export function ProdutosView() {
  const { data, error, isFetching, refetch } = useProdutos()
  if (data !== undefined) return <LojaContent produtos={data} />
  if (error === null || isFetching) return <LojaSkeleton />
  const message = error.message === LOAD_ERROR ? LOAD_ERROR : `${LOAD_ERROR}: ${error.message}`
  return <ErrorState message={message} onRetry={() => void refetch()} />
}

type OpenDialog =
  | { readonly tipo: 'novo' | 'exemplo' }
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

interface ProdutoDialogsProps {
  readonly dialog: OpenDialog | null
  readonly catalog: Catalog
  readonly onClose: () => void
}

function ProdutoDialogs({ dialog, catalog, onClose }: ProdutoDialogsProps) {
  switch (dialog?.tipo) {
    case 'novo':
      return <ProdutoForm produto={null} catalog={catalog} onClose={onClose} />
    case 'editar':
      return <ProdutoForm produto={dialog.produto} catalog={catalog} onClose={onClose} />
    case 'ver':
      return <ProdutoPreviewDialog produto={dialog.produto} catalog={catalog} onClose={onClose} />
    case 'exemplo':
      return <SampleDialog catalog={catalog} onClose={onClose} />
    case 'excluir':
    case undefined:
      return null
  }
}

function LojaContent({ produtos }: { produtos: Catalog }) {
  const { toggle, pause, remove } = useProdutoActions()
  const { move, announcement } = useProdutoOrder()
  const [filter, setFilter] = useState(NO_PRODUTO_FILTER)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const visible = filterProdutos(produtos, useDeferredValue(filter))
  const close = (): void => setDialog(null)
  const open = (tipo: 'editar' | 'ver' | 'excluir') => (produto: Produto) => setDialog({ tipo, produto })
  const create = (): void => setDialog({ tipo: 'novo' })
  return (
    <div className="grid gap-6">
      <LojaFigures produtos={produtos} />
      <section aria-label="Catálogo" className="grid gap-4">
        <LojaBar produtos={produtos} filter={filter} onFilter={setFilter} onNew={create} />
        {produtos.length === 0 ? (
          <NoProdutos onNew={create} onSample={() => setDialog({ tipo: 'exemplo' })} />
        ) : visible.length === 0 ? (
          <NoMatchingProdutos onClear={() => setFilter(NO_PRODUTO_FILTER)} />
        ) : (
          <ProdutoGrid
            produtos={visible}
            onMove={({ id }, target) => move(id, produtos.indexOf(target))}
            onToggle={(produto, active) => void toggle(produto, active)}
            onPause={(produto, until) => void pause(produto, until)}
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
        <ProdutoDialogs dialog={dialog} catalog={produtos} onClose={close} />
      </Suspense>
      <DeleteProduto produto={dialog?.tipo === 'excluir' ? dialog.produto : null} onDelete={remove} onClose={close} />
    </div>
  )
}
