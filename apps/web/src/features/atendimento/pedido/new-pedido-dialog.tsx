import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import type { Produto } from '@balcao/contract/entities/produto'
import { ProdutoSearch, useActiveProdutos } from '#features/atendimento/mensagem/produto-search.tsx'
import { useConfig } from '#shared/data/config/use-config.ts'
import { formatCents } from '#shared/pedidos/pedido-texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { DeliveryFields, PaymentFields } from './delivery-fields.tsx'
import { ItemFields } from './item-fields.tsx'
import { type DraftItem, itemsOfCarrinho, type PricedDraft } from './pedido-draft.ts'
import { useCarrinho } from './use-carrinho.ts'
import { type WrittenPedido, useNewPedido } from './use-new-pedido.ts'

interface NewPedidoDialogProps {
  readonly conversa: Conversa
  readonly onClose: () => void
}

/** A person writes an order for the customer of the chat. Closing keeps what was written. */
export function NewPedidoDialog({ conversa, onClose }: NewPedidoDialogProps) {
  const { config } = useConfig()
  const query = useActiveProdutos()
  return (
    <Dialog open width="lg" title={`Novo pedido de ${conversa.cliente.nome}`} onClose={onClose}>
      {config !== null && (
        <QueryState query={query} skeleton={<FormSkeleton />}>
          {({ produtos }) => <PedidoForm {...{ conversa, onClose, produtos }} loja={config.loja} />}
        </QueryState>
      )}
    </Dialog>
  )
}

function FormSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os produtos" className="grid gap-3">
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-32 w-full" />
    </div>
  )
}

interface PedidoFormProps extends NewPedidoDialogProps {
  readonly produtos: readonly Produto[]
  readonly loja: LojaConfig
}

function PedidoForm({ conversa, produtos, loja, onClose }: PedidoFormProps) {
  const form = useNewPedido({ conversaId: conversa.id, loja, produtos, onClose })
  const { draft, change, errors, priced, failure } = form
  return (
    // No form: Enter in a field would send an order that is not ready.
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ProdutoSearch
        enterChooses
        hint="Um toque põe o produto no pedido."
        refusalOf={refusalOf}
        onChoose={({ id }) => change({ itens: withProduto(draft.itens, produtos, id) })}
      />
      <CarrinhoOffer conversa={conversa} form={form} />
      <Items {...{ form, produtos }} />
      <DeliveryFields {...{ draft, loja, errors }} entregaCentavos={priced.entregaCentavos} onChange={change} />
      <PaymentFields {...{ draft, loja, errors }} onChange={change} />
      {failure !== null && <Notice tone="erro" title={failure} />}
      <Footer {...{ priced }} busy={form.isPending} onSubmit={form.submit} />
    </div>
  )
}

function refusalOf({ estoque, pausadoAte }: Produto): string | undefined {
  if (estoque === 0) return 'Acabou'
  return pausadoAte !== undefined && Date.parse(pausadoAte) > Date.now() ? 'Em pausa' : undefined
}

/** A produto without choices joins its item. One with choices begins another. */
function withProduto(itens: readonly DraftItem[], produtos: readonly Produto[], id: string): readonly DraftItem[] {
  const hasChoices = produtos.some((produto) => produto.id === id && produto.grupos.length > 0)
  const same = itens.findIndex((item) => item.produtoId === id && item.observacao === '')
  if (same < 0 || hasChoices) return [...itens, { produtoId: id, quantidade: 1, opcoes: [], observacao: '' }]
  return itens.map((item, index) => (index === same ? { ...item, quantidade: item.quantidade + 1 } : item))
}

interface CarrinhoOfferProps {
  readonly conversa: Conversa
  readonly form: Pick<WrittenPedido, 'draft' | 'change'>
}

/** Takes over what the customer already chose in the chat. */
function CarrinhoOffer({ conversa, form: { draft, change } }: CarrinhoOfferProps) {
  const { data: carrinho } = useCarrinho(conversa)
  if (carrinho === undefined || carrinho === null || draft.itens.length > 0) return null
  const { length } = carrinho.itens
  return (
    <Button size="touch" className="justify-self-start" onClick={() => change({ itens: itemsOfCarrinho(carrinho) })}>
      Usar o carrinho do chat ({length === 1 ? '1 item' : `${length} itens`})
    </Button>
  )
}

interface ItemsProps {
  readonly form: Pick<WrittenPedido, 'draft' | 'change' | 'errors' | 'priced'>
  readonly produtos: readonly Produto[]
}

function Items({ form: { draft, change, errors, priced }, produtos }: ItemsProps) {
  const { itens } = draft
  return (
    <section aria-labelledby="itens-do-pedido" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 id="itens-do-pedido" className="font-bold">
        Itens
      </h3>
      {itens.length === 0 && (
        <p role={errors.itens === undefined ? undefined : 'alert'} className="text-sm text-muted">
          {errors.itens ?? 'Nenhum produto ainda.'}
        </p>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {itens.map((item, at) => (
          <ItemFields
            // oxlint-disable-next-line react/no-array-index-key -- two items may be equal, and none changes its place
            key={at}
            item={item}
            produto={produtos.find(({ id }) => id === item.produtoId)}
            priced={priced.items[at] ?? null}
            error={errors[`item${at}`]}
            onChange={(fields) =>
              change({ itens: itens.map((other, index) => (index === at ? { ...other, ...fields } : other)) })
            }
            onRemove={() => change({ itens: itens.filter((_, index) => index !== at) })}
          />
        ))}
      </ul>
    </section>
  )
}

interface FooterProps {
  readonly priced: PricedDraft
  readonly busy: boolean
  readonly onSubmit: () => void
}

/** The sums stay in view, and the button in reach of the thumb. */
function Footer({ priced: { sums, entregaCentavos }, busy, onSubmit }: FooterProps) {
  const { subtotalCentavos, descontoCentavos, totalCentavos } = sums
  const fee = entregaCentavos === null || entregaCentavos === 0 ? '' : ` + entrega ${formatCents(entregaCentavos)}`
  const discount = descontoCentavos === 0 ? '' : ` − desconto ${formatCents(descontoCentavos)}`
  return (
    <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t bg-surface px-5 py-3">
      <p role="status" className="min-w-0 tabular-nums">
        <span className="block text-sm text-muted">
          Subtotal {formatCents(subtotalCentavos)}
          {fee}
          {discount}
        </span>
        <b className="text-lg">Total {formatCents(totalCentavos)}</b>
      </p>
      <Button variant="primary" size="touch" className="flex-1 sm:flex-none" busy={busy} onClick={onSubmit}>
        {busy ? 'Criando…' : 'Criar pedido'}
      </Button>
    </div>
  )
}
