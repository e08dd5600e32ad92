import { MENSAGENS_LISTADAS, MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { EstadoMensagem, OrigemMensagem } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import { ArrowDownLeft, ArrowUpRight, MessageSquareText } from 'lucide-react'
import { formatDateTime, formatPhone, formatTime } from '#shared/format.ts'
import { mediaName } from '#shared/media/media-texts.ts'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { EmptyState, QueryState } from '#shared/ui/states.tsx'
import { mensagensRoute } from '@balcao/contract/routes/registros'
import { applyToMensagensBot } from '@balcao/contract/sync/registros'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { type ApplyToQuery, fetchWithEvents, ListSkeleton, useLiveQuery } from './live-list.tsx'

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

export function BotMensagens() {
  const query = useBotMensagens()
  return (
    <div className="card min-w-0 overflow-hidden">
      <QueryState query={query} skeleton={<ListSkeleton label="Carregando as mensagens" />}>
        {({ mensagens }) =>
          mensagens.length === 0 ? (
            <EmptyState title="Nenhuma mensagem ainda" icon={<MessageSquareText size={22} aria-hidden />}>
              As mensagens que os clientes enviam e as que saem daqui aparecem nesta lista, na hora.
            </EmptyState>
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
                Aqui ficam as {MENSAGENS_LISTADAS} mensagens mais recentes, de todas as conversas.
              </p>
            </>
          )
        }
      </QueryState>
    </div>
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

function useBotMensagens() {
  const { contaId } = useUsuario()
  const apply: ApplyToQuery<LoadedBotMensagens> = (parsed, event) => ({
    ...parsed,
    mensagens: applyToMensagensBot(parsed.mensagens, event, contaId, MENSAGENS_LISTADAS),
  })
  useLiveQuery(QUERY_KEYS.mensagensBot, apply)
  return useQuery({
    queryKey: QUERY_KEYS.mensagensBot,
    queryFn: async ({ signal }) => {
      await waitForInterval(signal)
      return fetchWithEvents<LoadedBotMensagens>(
        () => call(mensagensRoute, { query: { limite: MENSAGENS_LISTADAS }, signal }),
        apply,
      )
    },
    staleTime: 0,
    networkMode: 'always',
  })
}
