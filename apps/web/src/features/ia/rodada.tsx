import { KeyRound, RotateCw } from 'lucide-react'
import { formatarDuracao } from '#shared/ia/duracao.ts'
import { formatar } from '#shared/preview/formatar.tsx'
import { Button } from '#shared/ui/button.tsx'
import { focarCampo } from './focar.ts'
import type { Rodada } from './use-teste.ts'

const BALAO = 'max-w-[88%] rounded-2xl px-3.5 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap shadow-card'

export function RodadaDoTeste({ rodada, onRepetir }: { rodada: Rodada; onRepetir: (() => void) | undefined }) {
  const { pergunta, desfecho } = rodada
  return (
    <>
      <div className={`${BALAO} self-end rounded-br-md bg-bubble`}>
        <span className="sr-only">Você: </span>
        <p>{pergunta}</p>
      </div>
      {desfecho.tipo === 'pensando' && (
        <p className="rise flex items-center gap-1.5 self-start rounded-2xl rounded-bl-md bg-surface px-3.5 py-2 text-sm text-muted shadow-card">
          <span aria-hidden className="pulse-dot size-2 rounded-full bg-brand" /> Pensando…
        </p>
      )}
      {desfecho.tipo === 'respondida' && (
        <div className={`rise ${BALAO} self-start rounded-bl-md bg-surface`}>
          <span className="sr-only">IA: </span>
          <p>{formatar(desfecho.resposta)}</p>
          <p className="mt-1 text-right text-xs text-muted tabular-nums">
            <span className="sr-only">Levou </span>
            {formatarDuracao(desfecho.duracaoMs)}
          </p>
        </div>
      )}
      {desfecho.tipo === 'falhou' && (
        <div className={`rise ${BALAO} self-start rounded-bl-md bg-danger-soft text-sm text-danger-ink`}>
          <p className="font-semibold">Erro ao gerar resposta de teste.</p>
          <p className="mt-0.5">{desfecho.mensagem}</p>
          <div className="mt-1.5 -ml-1 flex flex-wrap gap-1 empty:hidden">
            {onRepetir !== undefined && (
              <Button variante="ghost" tamanho="sm" className="text-danger-ink" onClick={onRepetir}>
                <RotateCw size={14} aria-hidden /> Tentar de novo
              </Button>
            )}
            {desfecho.chave && (
              <Button variante="ghost" tamanho="sm" className="text-danger-ink" onClick={() => focarCampo('apiKey')}>
                <KeyRound size={14} aria-hidden /> Conferir a chave
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  )
}
