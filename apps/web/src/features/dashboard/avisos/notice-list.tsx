import type { AvisoDePessoa, TipoAviso } from '@balcao/contract/entities/aviso'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  AlarmClock,
  ArrowLeftRight,
  AtSign,
  CalendarX,
  CircleAlert,
  CircleCheck,
  FileDown,
  Gauge,
  Info,
  LoaderCircle,
  WifiOff,
} from 'lucide-react'
import { useEffect } from 'react'
import { type Aviso, type AvisoTipo, useAvisos } from '#shared/avisos.ts'
import { formatDateTime, formatTime } from '#shared/format.ts'
import { markKeptRead, useKeptNotices } from './kept-notices.tsx'

const KEPT_ICON: Readonly<Record<TipoAviso, typeof Info>> = {
  mencao: AtSign,
  lembrete: AlarmClock,
  agendadaFalhou: CalendarX,
  importacao: FileDown,
  botDesconectado: WifiOff,
  limite: Gauge,
  transferida: ArrowLeftRight,
}

const NOTICE_ICON: Readonly<Record<AvisoTipo, typeof Info>> = {
  sucesso: CircleCheck,
  erro: CircleAlert,
  info: Info,
  carregando: LoaderCircle,
}
const NOTICE_COLOR: Readonly<Record<AvisoTipo, string>> = {
  sucesso: 'text-brand',
  erro: 'text-danger-ink',
  info: 'text-info-ink',
  carregando: 'text-muted',
}

function NoticeRow({ aviso, onRun }: { aviso: Aviso; onRun: () => void }) {
  const Icon = NOTICE_ICON[aviso.tipo]
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4.5 flex-none ${NOTICE_COLOR[aviso.tipo]}`} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="whitespace-pre-line">{aviso.text}</p>
        {aviso.action !== undefined && (
          <button
            type="button"
            className="min-h-6 font-bold text-brand-ink underline"
            onClick={() => {
              aviso.action?.run()
              onRun()
            }}
          >
            {aviso.action.label}
          </button>
        )}
      </div>
      <time dateTime={new Date(aviso.at).toISOString()} className="text-xs text-muted tabular-nums">
        {formatTime(aviso.at)}
      </time>
    </li>
  )
}

function KeptRow({ aviso, onRun }: { readonly aviso: AvisoDePessoa; readonly onRun: () => void }) {
  const { tipo, texto, conversaId, criadoEm } = aviso
  const Icon = KEPT_ICON[tipo]
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icon aria-hidden className="mt-0.5 size-4.5 flex-none text-brand" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="whitespace-pre-line">{texto}</p>
        {conversaId !== undefined && (
          <Link
            to="/dashboard"
            search={{ aba: 'atendimento', c: conversaId }}
            className="min-h-6 font-bold text-brand-ink underline"
            onClick={onRun}
          >
            Abrir conversa
          </Link>
        )}
      </div>
      <time dateTime={criadoEm} className="text-xs text-muted tabular-nums">
        {formatDateTime(criadoEm)}
      </time>
    </li>
  )
}

/** The kept notices of the person, then those of this visit. */
export function NoticeList({ onRun }: { onRun: () => void }) {
  const avisos = useAvisos()
  const kept = useKeptNotices()?.avisos ?? []
  const client = useQueryClient()
  const newest = kept[0]?.id
  useEffect(() => void markKeptRead(client).catch(() => undefined), [client, newest])
  if (avisos.length === 0 && kept.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-muted">
        Nenhum aviso ainda. Menções, lembretes e transferências ficam guardados por 30 dias.
      </p>
    )
  }
  return (
    <>
      {kept.length > 0 && (
        <ul aria-label="Para você" className="divide-y py-1">
          {kept.map((aviso) => (
            <KeptRow key={aviso.id} aviso={aviso} onRun={onRun} />
          ))}
        </ul>
      )}
      {avisos.length > 0 && (
        <ul aria-label="Desta visita" className="divide-y border-t py-1">
          {avisos.map((aviso) => (
            <NoticeRow key={aviso.id} aviso={aviso} onRun={onRun} />
          ))}
        </ul>
      )}
    </>
  )
}
