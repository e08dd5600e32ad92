import { MENSAGENS_LISTADAS } from '@balcao/contract/constants'
import type { EstadoMensagem, OrigemMensagem } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import { ArrowDownLeft, ArrowUpRight, MessageSquareText } from 'lucide-react'
import { formatDateTime, formatPhone, formatTime } from '#shared/format.ts'
import { nomeDaMidia } from '#shared/midia/palavras.ts'
import { Chip, type Tom } from '#shared/ui/chip.tsx'
import { EmptyState, Leitura } from '#shared/ui/states.tsx'
import { EsqueletoDaLista } from './esqueleto-da-lista.tsx'
import { useMensagens } from './use-mensagens.ts'

const QUEM: Readonly<Record<OrigemMensagem, string>> = {
  cliente: 'Cliente',
  bot: 'Bot',
  ia: 'IA',
  operador: 'Atendente',
  celular: 'Celular da empresa',
}

/** Only problem states get a badge. */
const ESTADO: Readonly<Partial<Record<EstadoMensagem, { readonly texto: string; readonly tom: Tom }>>> = {
  pendente: { texto: 'Enviando…', tom: 'amarelo' },
  falhou: { texto: 'Não enviada', tom: 'vermelho' },
  limite: { texto: 'Limite diário', tom: 'vermelho' },
}

export function Mensagens() {
  const consulta = useMensagens()
  return (
    <div className="card min-w-0 overflow-hidden">
      <Leitura consulta={consulta} esqueleto={<EsqueletoDaLista rotulo="Carregando as mensagens" />}>
        {({ mensagens }) =>
          mensagens.length === 0 ? (
            <EmptyState titulo="Nenhuma mensagem ainda" icone={<MessageSquareText size={22} aria-hidden />}>
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
                    <Mensagem key={mensagem.id} mensagem={mensagem} />
                  ))}
                </ul>
              </div>
              <p className="border-t border-line px-3 py-2 text-sm text-muted sm:px-4">
                Aqui ficam as {MENSAGENS_LISTADAS} mensagens mais recentes, de todas as conversas.
              </p>
            </>
          )
        }
      </Leitura>
    </div>
  )
}

function Mensagem({ mensagem }: { mensagem: MensagemBot }) {
  const { contato, telefone, conteudo, direcao, origem, timestamp, midia } = mensagem
  const saiu = direcao === 'saida'
  const Icone = saiu ? ArrowUpRight : ArrowDownLeft
  const estado = mensagem.estado === undefined ? undefined : ESTADO[mensagem.estado]
  const telefoneLegivel = formatPhone(telefone)
  return (
    <li className="flex gap-3 px-3 py-2.5 sm:px-4">
      <span
        className={`mt-0.5 grid size-8 flex-none place-items-center rounded-full ${saiu ? 'bg-brand-soft text-brand-ink' : 'bg-info-soft text-info-ink'}`}
      >
        <Icone aria-hidden size={17} />
        <span className="sr-only">{saiu ? 'Enviada' : 'Recebida'}</span>
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-bold [overflow-wrap:anywhere]">{contato || telefoneLegivel || 'Cliente sem nome'}</span>
          {contato !== '' && telefone !== '' && <span className="text-muted tabular-nums">{telefoneLegivel}</span>}
          <time dateTime={timestamp} title={formatDateTime(timestamp)} className="ml-auto text-muted tabular-nums">
            {formatTime(timestamp)}
          </time>
        </p>
        <p className="mt-0.5 line-clamp-2 [overflow-wrap:anywhere] whitespace-pre-line">
          {midia !== undefined && <span className="font-semibold">{nomeDaMidia(midia)} </span>}
          {conteudo}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-muted">
          {QUEM[origem]}
          {estado !== undefined && <Chip tom={estado.tom}>{estado.texto}</Chip>}
        </p>
      </div>
    </li>
  )
}
