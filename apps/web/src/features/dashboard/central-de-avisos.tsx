import { Bell, CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useId, useState } from 'react'
import { type Aviso, marcarAvisosLidos, type TipoAviso, useAvisos, useAvisosNaoLidos } from '#shared/avisos.ts'
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

/** The bell: the last twenty notices with their actions, for whoever missed a toast. */
export function CentralDeAvisos() {
  const avisos = useAvisos()
  const naoLidos = useAvisosNaoLidos()
  const [aberta, setAberta] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={naoLidos > 0 ? `Central de avisos, ${naoLidos} não lidos` : 'Central de avisos'}
        aria-expanded={aberta}
        data-tip="Central de avisos"
        className={`btn btn-ghost btn-icon ${aberta ? 'relative' : 'tip'}`}
      >
        <Bell aria-hidden className="size-4.5" />
        {naoLidos > 0 && <span aria-hidden className="absolute top-2 right-2 size-2 rounded-full bg-danger" />}
      </button>
      <div
        id={id}
        popover="auto"
        role="region"
        aria-label="Central de avisos"
        className="fixed inset-auto top-15 right-2 m-0 max-h-[min(70dvh,32rem)] w-[min(22rem,calc(100vw-1rem))] overflow-y-auto rounded-2xl border border-line bg-surface p-0 text-ink shadow-pop"
        onToggle={({ newState }) => {
          setAberta(newState === 'open')
          if (newState === 'open') marcarAvisosLidos()
        }}
      >
        <h2 className="sticky top-0 border-b bg-surface px-4 py-3 font-bold">Central de avisos</h2>
        {aberta && avisos.length === 0 && (
          <p className="px-4 py-8 text-center text-sm text-muted">
            Nenhum aviso ainda. Os últimos 20 ficam guardados aqui.
          </p>
        )}
        {aberta && avisos.length > 0 && (
          <ul className="divide-y py-1">
            {avisos.map((aviso) => (
              <Linha key={aviso.id} aviso={aviso} onFazer={() => document.getElementById(id)?.hidePopover()} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}
