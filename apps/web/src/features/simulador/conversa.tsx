import clsx from 'clsx'
import { CircleAlert, Clock3 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatTime } from '#shared/format.ts'
import { formatar } from '#shared/preview/formatar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import type { ConversaSimulada, Pendente } from './use-conversa.ts'

/** The chat of one customer: their own bubbles at the right, the shop's at the left. */
export function Conversa({ conversa, nome }: { conversa: ConversaSimulada; nome: string }) {
  const { mensagens, pendentes, carregando, erro } = conversa
  const quadro = useRef<HTMLDivElement>(null)
  const quantas = mensagens.length + pendentes.length
  useEffect(() => {
    // The chat alone moves to its end, never the page around it.
    quadro.current?.scrollTo({ top: quadro.current.scrollHeight })
  }, [quantas])
  return (
    <div
      ref={quadro}
      className="wall relative flex-1 overflow-y-auto px-3 py-4"
      tabIndex={0}
      role="log"
      aria-label={`Conversa de ${nome} com o bot`}
      aria-busy={carregando}
    >
      {carregando && (
        <div className="grid gap-3">
          <Skeleton className="ml-auto h-9 w-32" />
          <Skeleton className="h-16 w-56" />
        </div>
      )}
      {erro !== null && quantas === 0 && <ErrorState mensagem={erro.message} onTentar={conversa.recarregar} />}
      {!carregando && erro === null && quantas === 0 && (
        <p className="mx-auto mt-8 w-fit rounded-full bg-surface px-4 py-1.5 text-sm text-muted">
          Escreva <b>oi</b> para começar a conversa.
        </p>
      )}
      <ol className="grid gap-2">
        {mensagens.map(({ id, de, texto, timestamp, imagemUrl }) => (
          <li
            key={id}
            className={clsx('rise max-w-[85%]', de === 'cliente' ? 'justify-self-end' : 'justify-self-start')}
          >
            <div
              className={clsx(
                'rounded-2xl px-3 py-2 shadow-card',
                de === 'cliente' ? 'rounded-tr-md bg-bubble' : 'rounded-tl-md bg-surface',
              )}
            >
              <span className="sr-only">{de === 'cliente' ? `${nome}: ` : 'Bot: '}</span>
              {imagemUrl !== undefined && <img src={imagemUrl} alt="" className="mb-1 max-h-56 rounded-lg" />}
              <p className="break-words whitespace-pre-wrap">{formatar(texto)}</p>
              <p className="mt-0.5 text-right text-[11px] text-muted tabular-nums">{formatTime(timestamp)}</p>
            </div>
          </li>
        ))}
        {pendentes.map((pendente) => (
          <BalaoPendente key={pendente.id} pendente={pendente} onReenviar={() => conversa.reenviar(pendente.id)} />
        ))}
      </ol>
    </div>
  )
}

function BalaoPendente({ pendente: { texto, erro }, onReenviar }: { pendente: Pendente; onReenviar: () => void }) {
  return (
    <li className="max-w-[85%] justify-self-end">
      <div className="rounded-2xl rounded-tr-md bg-bubble px-3 py-2">
        <p className="break-words whitespace-pre-wrap">{formatar(texto)}</p>
        {erro === null ? (
          <p className="mt-0.5 flex items-center justify-end gap-1 text-[11px] text-muted">
            <Clock3 size={12} aria-hidden /> Enviando…
          </p>
        ) : (
          <p role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-sm font-semibold text-danger-ink">
            <CircleAlert size={16} aria-hidden /> {erro}
            <button type="button" onClick={onReenviar} className="min-h-6 rounded underline">
              Tentar de novo
            </button>
          </p>
        )}
      </div>
    </li>
  )
}
