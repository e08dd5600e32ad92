import type { ContatoComBot } from '@balcao/contract/entities/conversa'
import { contatosComBotList } from '@balcao/contract/routes/atendimento'
import { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Bot, Hand, ShoppingCart } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { customerContact } from '#shared/format.ts'
import { formatCents } from '#shared/pedidos/pedido-texts.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { BOT_LIST_KEY, useShowOpened } from './opened-conversa.ts'

const PAGE_SIZE = 40
const FIRST_PAGE: string | null = null
/** The event comes with every message of the bot. */
const REFETCH_PAUSE_MS = 2_000

function useBotList(busca: string, linha: string | null) {
  const client = useQueryClient()
  useEffect(() => {
    let wait: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento }) => {
      if (evento !== 'botConversaAtiva') return
      wait ??= setTimeout(() => {
        wait = undefined
        void client.invalidateQueries({ queryKey: BOT_LIST_KEY })
      }, REFETCH_PAUSE_MS)
    })
    return () => {
      stop()
      clearTimeout(wait)
    }
  }, [client])
  return useInfiniteQuery({
    queryKey: [...BOT_LIST_KEY, busca, linha],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...({ status: 'bot', limite: PAGE_SIZE } as const),
        ...(busca === '' ? {} : { busca }),
        ...(linha === null ? {} : { linha }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }
      return call(contatosComBotList, { query, signal })
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
    placeholderData: keepPreviousData,
  })
}

const ETAPA: Readonly<Record<string, string>> = {
  menu: 'No menu',
  ia: 'Com o assistente',
  loja: 'Na loja',
  avaliando: 'Avaliando',
}

interface BotListProps {
  readonly busca: string
  /** Null: all lines. */
  readonly linha: string | null
}

export function BotList({ busca, linha }: BotListProps) {
  const query = useBotList(useDeferredValue(busca.trim()), linha)
  return (
    <QueryState query={query} skeleton={<BotListSkeleton />}>
      {({ pages }) => {
        const contatos = pages.flatMap(({ conversas }) => conversas)
        if (contatos.length === 0) return <NoContatos searched={busca.trim() !== ''} ofLinha={linha !== null} />
        return (
          <>
            <ul aria-label="Com o bot">
              {contatos.map((contato) => (
                <BotRow key={contato.contatoId} {...{ contato, linha }} />
              ))}
            </ul>
            {query.hasNextPage && (
              <div className="p-3 text-center">
                <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Mostrar mais
                </Button>
              </div>
            )}
          </>
        )
      }}
    </QueryState>
  )
}

function NoContatos({ searched, ofLinha }: { searched: boolean; ofLinha: boolean }) {
  const nobody = ofLinha ? 'Ninguém com o bot nesta linha' : 'Ninguém com o bot agora'
  return (
    <EmptyState title={searched ? 'Nada com esta busca' : nobody} icon={<Bot size={22} aria-hidden />}>
      {searched ? 'Confira o nome ou o telefone.' : 'Quem escreve para o bot aparece aqui, e você pode assumir.'}
    </EmptyState>
  )
}

function BotListSkeleton() {
  return (
    <div role="status" aria-label="Carregando quem fala com o bot" aria-busy="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className="grid gap-1.5 border-b px-3 py-2">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  )
}

/** Takes the customer over on the filtered line. Without a filter the server takes the line of the last conversa. */
function BotRow({ contato, linha }: { contato: ContatoComBot } & Pick<BotListProps, 'linha'>) {
  const { contatoId, cliente, etapa, ultimaMensagem, carrinho } = contato
  const [busy, setBusy] = useState(false)
  const showOpened = useShowOpened()
  const take = async (): Promise<void> => {
    setBusy(true)
    try {
      showOpened(
        (await call(iniciarConversaRoute, { body: { contatoId, ...(linha === null ? {} : { linhaId: linha }) } }))
          .conversa,
      )
    } catch (error) {
      setBusy(false)
      notify.erro(`Erro ao assumir conversa: ${errorMessage(error)}`)
    }
  }
  return (
    <li className="flex items-center gap-2 border-b px-3 py-1.5">
      <div className="min-w-0 flex-1">
        <b className="block truncate leading-5">{cliente.nome === '' ? customerContact(cliente) : cliente.nome}</b>
        <p className="truncate text-sm leading-5 text-muted">{ultimaMensagem?.texto}</p>
        <p className="truncate text-xs text-muted">{ETAPA[etapa] ?? 'Começando'}</p>
        {carrinho !== undefined && <CartLine {...carrinho} />}
      </div>
      <Button busy={busy} className="flex-none max-lg:min-h-11" onClick={() => void take()}>
        {!busy && <Hand size={18} aria-hidden />} Assumir<span className="sr-only"> {cliente.nome}</span>
      </Button>
    </li>
  )
}

/** The cart as a single line. Long lists of items are cut, the sum is not. */
function CartLine({ itens, totalItens, subtotalCentavos }: NonNullable<ContatoComBot['carrinho']>) {
  const more = totalItens - itens.length
  const shown = itens.map(({ quantidade, nome }) => `${quantidade}x ${nome}`).join(', ')
  return (
    <p className="flex items-center gap-1 text-xs">
      <ShoppingCart size={14} className="flex-none text-muted" aria-hidden />
      <span className="sr-only">Montando o pedido: </span>
      <span className="truncate">{more === 0 ? shown : `${shown} e mais ${more}`}</span>
      <b className="flex-none tabular-nums">{formatCents(subtotalCentavos)}</b>
    </p>
  )
}
