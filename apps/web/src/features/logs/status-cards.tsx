import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { BOT_STATUS_LABELS, statusTone } from '#shared/data/status-labels.ts'
import { useBotStatus } from '#shared/data/bot-status.ts'
import { formatNumber } from '#shared/format.ts'
import { serverLabel } from '#shared/data/server-status.ts'
import { Skeleton } from '#shared/ui/states.tsx'

type CardTone = 'bom' | 'atencao' | 'ruim' | 'neutro'

const TONE_COLOR: Readonly<Record<CardTone, string>> = {
  bom: 'text-brand-ink',
  atencao: 'text-warn-ink',
  ruim: 'text-danger-ink',
  neutro: 'text-muted',
}
const BOT_STATUS_TONE = { verde: 'bom', amarelo: 'atencao', vermelho: 'ruim', cinza: 'neutro' } as const

interface StatusCardProps {
  readonly label: string
  readonly value: string
  readonly detail: string
  readonly tone: CardTone
  readonly note: string
}

function StatusCard({ label, value, detail, tone, note }: StatusCardProps) {
  return (
    <div className="card min-w-0 p-3 sm:p-4">
      <dt className="text-sm font-semibold text-muted">{label}</dt>
      <dd className="mt-0.5">
        <span className="block text-lg leading-tight font-extrabold [overflow-wrap:anywhere] tabular-nums sm:text-2xl">
          {value}
        </span>
        <span className={`mt-1 block text-sm font-semibold tabular-nums ${TONE_COLOR[tone]}`}>{detail}</span>
        <span className="block text-xs text-muted tabular-nums">{note}</span>
      </dd>
    </div>
  )
}

const IA_STATUS = { ativa: 'Ativa', inativa: 'Inativa', sem_chave: 'Sem API Key' } as const
const SIGNAL_TONE = { forte: 'bom', medio: 'atencao', fraco: 'ruim' } as const

function ConnectionCard({ sistema }: { sistema: SistemaStatus }) {
  const { bot, known } = useBotStatus()
  const status = known ? bot.status : sistema.whatsapp
  const connected = status === 'CONECTADO'
  const { sinal, ultimoQuadroS } = sistema
  if (bot.modoTeste) {
    return (
      <StatusCard
        label="WhatsApp"
        value="Modo de teste"
        detail={`Simulador: ${BOT_STATUS_LABELS[status]}`}
        tone="atencao"
        note="nenhum cliente real recebe mensagens"
      />
    )
  }
  return (
    <StatusCard
      label="WhatsApp"
      value={BOT_STATUS_LABELS[status]}
      detail={signalText(connected ? sinal : null)}
      tone={connected && sinal !== null ? SIGNAL_TONE[sinal] : BOT_STATUS_TONE[statusTone(status)]}
      note={connected && ultimoQuadroS !== null ? `última notícia ${agoText(ultimoQuadroS)}` : 'sem conexão agora'}
    />
  )
}

function IaCard({ sistema: { ia, tempoRespostaIa, falhasIaHoje } }: { sistema: SistemaStatus }) {
  const average = tempoRespostaIa === null ? 'nas últimas 24 horas' : 'média das últimas 24 horas'
  const idle = tempoRespostaIa === null ? 'neutro' : 'bom'
  return (
    <StatusCard
      label="IA"
      value={IA_STATUS[ia]}
      detail={tempoRespostaIa === null ? 'Sem respostas' : `Resposta ${formatTenths(tempoRespostaIa)}`}
      tone={falhasIaHoje > 0 ? 'atencao' : idle}
      note={falhasIaHoje > 0 ? `falhas da IA hoje: ${formatNumber(falhasIaHoje)}` : average}
    />
  )
}

export function StatusCards({ sistema, offline }: { sistema: SistemaStatus | undefined; offline: boolean }) {
  if (sistema === undefined) {
    return (
      <div role="status" aria-label="Carregando o status" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((card) => (
          <Skeleton key={card} className="h-24 rounded-card" />
        ))}
      </div>
    )
  }
  const { servidor, cpu, memoria, tempoResposta, mensagensHoje, variacaoMensagens } = sistema
  const variation = variationText(variacaoMensagens)
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <ConnectionCard sistema={sistema} />
      <StatusCard
        label="Servidor"
        value={serverLabel(sistema, offline)}
        detail={`CPU ${formatWholePercent(cpu)}`}
        tone={offline ? 'ruim' : servidor === 'instavel' || cpu > 90 ? 'atencao' : 'bom'}
        note={`Memória ${formatWholePercent(memoria)} · resposta ${formatTenths(tempoResposta)}`}
      />
      <IaCard sistema={sistema} />
      <StatusCard
        label="Mensagens hoje"
        value={formatNumber(mensagensHoje)}
        detail={variation ?? 'Sem comparação'}
        tone={variation === null || variacaoMensagens === 0 ? 'neutro' : 'bom'}
        note={variation === null ? 'ontem não houve até esta hora' : 'comparado a ontem até esta hora'}
      />
    </dl>
  )
}

const SIGNAL_TEXT = { forte: 'Sinal forte', medio: 'Sinal médio', fraco: 'Sinal fraco' } as const

function signalText(signal: SistemaStatus['sinal']): string {
  return signal === null ? 'Sem sinal' : SIGNAL_TEXT[signal]
}

/** For example `1,2 s`. Below 1 s one more digit, so that it is not `0,0 s`. */
function formatTenths(seconds: number): string {
  return `${Math.max(0.01, seconds)
    .toFixed(seconds >= 1 ? 1 : 2)
    .replace('.', ',')} s`
}

const formatWholePercent = (value: number): string => `${Math.round(value)}%`

function variationText(variation: number | null): string | null {
  if (variation === null) return null
  const sign = variation > 0 ? '+' : variation < 0 ? '−' : ''
  return `${sign}${formatNumber(Math.abs(Math.round(variation)))}% hoje`
}

function agoText(seconds: number): string {
  if (seconds < 1) return 'agora mesmo'
  return seconds < 60 ? `há ${Math.round(seconds)} s` : `há ${Math.round(seconds / 60)} min`
}
