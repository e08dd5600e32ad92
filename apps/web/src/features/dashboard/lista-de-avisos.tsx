import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { type Aviso, type TipoAviso, useAvisos } from '#shared/avisos.ts'
import { formatTime } from '#shared/format.ts'

const ICONE: Readonly<Record<TipoAviso, typeof Info>> = { sucesso: CircleCheck, erro: CircleAlert, info: Info }
const COR: Readonly<Record<TipoAviso, string>> = {
  sucesso: 'text-brand',
  erro: 'text-danger-ink',
  info: 'text-info-ink',
}

function Linha({ aviso, onFazer }: { aviso: Aviso; onFazer: () => void }) {
  const Icone = ICONE[aviso.tipo]
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icone aria-hidden className={`mt-0.5 size-4.5 flex-none ${COR[aviso.tipo]}`} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="whitespace-pre-line">{aviso.texto}</p>
        {aviso.acao !== undefined && (
          <button
            type="button"
            className="min-h-6 font-bold text-brand-ink underline"
            onClick={() => {
              aviso.acao?.fazer()
              onFazer()
            }}
          >
            {aviso.acao.rotulo}
          </button>
        )}
      </div>
      <time dateTime={new Date(aviso.em).toISOString()} className="text-xs text-muted tabular-nums">
        {formatTime(aviso.em)}
      </time>
    </li>
  )
}

/** Loaded when the bell is opened. `onFazer` runs after an action of a notice. */
export function ListaDeAvisos({ onFazer }: { onFazer: () => void }) {
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
        <Linha key={aviso.id} aviso={aviso} onFazer={onFazer} />
      ))}
    </ul>
  )
}
