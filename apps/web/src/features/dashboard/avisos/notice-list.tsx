import { CircleAlert, CircleCheck, Info, LoaderCircle } from 'lucide-react'
import { type Aviso, type AvisoTipo, useAvisos } from '#shared/avisos.ts'
import { formatTime } from '#shared/format.ts'

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

export function NoticeList({ onRun }: { onRun: () => void }) {
  const avisos = useAvisos()
  if (avisos.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-muted">
        Nenhum aviso ainda. Os últimos 20 ficam guardados aqui.
      </p>
    )
  }
  return (
    <ul className="divide-y py-1">
      {avisos.map((aviso) => (
        <NoticeRow key={aviso.id} aviso={aviso} onRun={onRun} />
      ))}
    </ul>
  )
}
