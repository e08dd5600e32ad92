import { MENSAGENS_LISTADAS, MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { EstadoMensagem, OrigemMensagem } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import { ArrowDownLeft, ArrowUpRight, MessageSquareText } from 'lucide-react'
import { formatDateTime, formatPhone, formatTime } from '#shared/format.ts'
import { mediaName } from '#shared/media/media-texts.ts'
import { LinhaSelect } from '#shared/conta/linha-select.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { EmptyState, QueryState } from '#shared/ui/states.tsx'
import { mensagensRoute } from '@balcao/contract/routes/registros'
import { applyToMensagensBot } from '@balcao/contract/sync/registros'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { type ApplyToQuery, fetchWithEvents, ListSkeleton, useLiveQuery, useRefetchOn } from './live-list.tsx'

const SENDER_LABEL: Readonly<Record<OrigemMensagem, string>> = {
  cliente: 'Cliente',
  bot: 'Bot',
  ia: 'IA',
  operador: 'Atendente',
  celular: 'Celular da empresa',
}

const PROBLEM_STATE: Readonly<Partial<Record<EstadoMensagem, { readonly texto: string; readonly tom: ChipTone }>>> = {
  pendente: { texto: 'Enviando…', tom: 'amarelo' },
  falhou: { texto: 'Não enviada', tom: 'vermelho' },
  limite: { texto: 'Limite diário', tom: 'vermelho' },
}

interface BotMensagensProps {
  /** Null: all lines. */
  readonly linha: string | null
  readonly onLinha: (linha: string | null) => void
}

export function BotMensagens({ linha, onLinha }: BotMensagensProps) {
  const query = useBotMensagens(linha)
  return (
    <div className="card min-w-0 overflow-hidden">
      <search className="block border-b border-line p-3 empty:hidden sm:p-4">
        <LinhaSelect value={linha} onChange={onLinha} className="min-h-11" />
      </search>
      <QueryState query={query} skeleton={<ListSkeleton label="Carregando as mensagens" />}>
        {({ mensagens }) =>
          mensagens.length === 0 ? (
            <NoMensagens ofLinha={linha !== null} onClear={() => onLinha(null)} />
          ) : (
            <>
              <div
                role="region"
                aria-label="Mensagens"
                tabIndex={0}
                className="max-h-[min(38rem,75dvh)] overflow-y-auto"
              >
                <ul className="divide-y divide-line">
                  {mensagens.slice(0, MENSAGENS_LISTADAS).map((mensagem) => (
                    <BotMensagemRow key={mensagem.id} mensagem={mensagem} />
                  ))}
                </ul>
              </div>
              <p className="border-t border-line px-3 py-2 text-sm text-muted sm:px-4">
                Aqui ficam as {MENSAGENS_LISTADAS} mensagens mais recentes,{' '}
                {linha === null ? 'de todas as conversas' : 'das conversas desta linha'}.
              </p>
            </>
          )
        }
      </QueryState>
    </div>
  )
}

function NoMensagens({ ofLinha, onClear }: { ofLinha: boolean; onClear: () => void }) {
  const icon = <MessageSquareText size={22} aria-hidden />
  if (ofLinha) {
    return (
      <EmptyState
        title="Nenhuma mensagem nesta linha"
        icon={icon}
        action={
          <Button className="min-h-11" onClick={onClear}>
            Ver todas as linhas
          </Button>
        }
      >
        As mensagens que chegam ou saem por ela aparecem aqui.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nenhuma mensagem ainda" icon={icon}>
      As mensagens que os clientes enviam e as que saem daqui aparecem nesta lista, na hora.
    </EmptyState>
  )
}

/** More than two lines hold. A customer may send 65,536 characters. */
const SHOWN_MAX = 1_000

function BotMensagemRow({ mensagem }: { mensagem: MensagemBot }) {
  const { contato, telefone, conteudo, direcao, origem, timestamp, midia } = mensagem
  const left = direcao === 'saida'
  const Icon = left ? ArrowUpRight : ArrowDownLeft
  const state = mensagem.estado === undefined ? undefined : PROBLEM_STATE[mensagem.estado]
  const readablePhone = formatPhone(telefone)
  return (
    <li className="flex gap-3 px-3 py-2.5 sm:px-4">
      <span
        className={`mt-0.5 grid size-8 flex-none place-items-center rounded-full ${left ? 'bg-brand-soft text-brand-ink' : 'bg-info-soft text-info-ink'}`}
      >
        <Icon aria-hidden size={17} />
        <span className="sr-only">{left ? 'Enviada' : 'Recebida'}</span>
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-bold [overflow-wrap:anywhere]">{contato || readablePhone || 'Cliente sem nome'}</span>
          {contato !== '' && telefone !== '' && <span className="text-muted tabular-nums">{readablePhone}</span>}
          <time dateTime={timestamp} title={formatDateTime(timestamp)} className="ml-auto text-muted tabular-nums">
            {formatTime(timestamp)}
          </time>
        </p>
        <p className="mt-0.5 line-clamp-2 [overflow-wrap:anywhere] whitespace-pre-line">
          {midia !== undefined && <span className="font-semibold">{mediaName(midia)} </span>}
          {conteudo.slice(0, SHOWN_MAX)}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-muted">
          {SENDER_LABEL[origem]}
          {state !== undefined && <Chip tone={state.tom}>{state.texto}</Chip>}
        </p>
      </div>
    </li>
  )
}

interface LoadedBotMensagens {
  readonly mensagens: readonly MensagemBot[]
  readonly proximoCursor?: string | undefined
}

let lastRequestAt = Number.NEGATIVE_INFINITY

async function waitForInterval(signal: AbortSignal): Promise<void> {
  const missing = lastRequestAt + MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS - performance.now()
  if (missing > 0) await new Promise((resolve) => setTimeout(resolve, missing))
  if (!signal.aborted) lastRequestAt = performance.now()
}

function useBotMensagens(linha: string | null) {
  const { contaId } = useUsuario()
  const queryKey = [...QUERY_KEYS.mensagensBot, linha]
  const apply: ApplyToQuery<LoadedBotMensagens> = (parsed, event) => {
    const { mensagens } = parsed
    // A new message may be of another line.
    const known = event.evento === 'botMensagem' && mensagens.some(({ id }) => id === event.dados.id)
    if (linha !== null && !known) return parsed
    return { ...parsed, mensagens: applyToMensagensBot(mensagens, event, contaId, MENSAGENS_LISTADAS) }
  }
  useLiveQuery(queryKey, apply)
  useRefetchOn('botMensagem', queryKey, linha !== null)
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      await waitForInterval(signal)
      return fetchWithEvents<LoadedBotMensagens>(
        () =>
          call(mensagensRoute, { query: { limite: MENSAGENS_LISTADAS, ...(linha === null ? {} : { linha }) }, signal }),
        apply,
      )
    },
    staleTime: 0,
    networkMode: 'always',
  })
}
