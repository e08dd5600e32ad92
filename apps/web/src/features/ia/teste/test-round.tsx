import { KeyRound, RotateCw } from 'lucide-react'
import { formatAnswerTime } from '#shared/ia/answer-time.ts'
import { formatMarks } from '#shared/preview/format-marks.tsx'
import { Button } from '#shared/ui/button.tsx'
import { focusIaField } from '#features/ia/form/focus-field.ts'
import type { TestRound } from './use-ia-test.ts'

const BUBBLE_CLASS = 'max-w-[88%] rounded-2xl px-3.5 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap shadow-card'

export function TestRoundView({ rodada, onRepetir }: { rodada: TestRound; onRepetir: (() => void) | undefined }) {
  const { pergunta, outcome } = rodada
  return (
    <>
      <div className={`${BUBBLE_CLASS} self-end rounded-br-md bg-bubble`}>
        <span className="sr-only">Você: </span>
        <p>{pergunta}</p>
      </div>
      {outcome.tipo === 'pensando' && (
        <p className="rise flex items-center gap-1.5 self-start rounded-2xl rounded-bl-md bg-surface px-3.5 py-2 text-sm text-muted shadow-card">
          <span aria-hidden className="pulse-dot size-2 rounded-full bg-brand" /> Pensando…
        </p>
      )}
      {outcome.tipo === 'respondida' && (
        <div className={`rise ${BUBBLE_CLASS} self-start rounded-bl-md bg-surface`}>
          <span className="sr-only">IA: </span>
          <p>{formatMarks(outcome.resposta)}</p>
          <p className="mt-1 text-right text-xs text-muted tabular-nums">
            <span className="sr-only">Levou </span>
            {formatAnswerTime(outcome.duracaoMs)}
          </p>
        </div>
      )}
      {outcome.tipo === 'falhou' && (
        <div className={`rise ${BUBBLE_CLASS} self-start rounded-bl-md bg-danger-soft text-sm text-danger-ink`}>
          <p className="font-semibold">Erro ao gerar resposta de teste.</p>
          <p className="mt-0.5">{outcome.mensagem}</p>
          <div className="mt-1.5 -ml-1 flex flex-wrap gap-1 empty:hidden">
            {onRepetir !== undefined && (
              <Button variant="ghost" size="sm" className="text-danger-ink" onClick={onRepetir}>
                <RotateCw size={14} aria-hidden /> Tentar de novo
              </Button>
            )}
            {outcome.chave && (
              <Button variant="ghost" size="sm" className="text-danger-ink" onClick={() => focusIaField('apiKey')}>
                <KeyRound size={14} aria-hidden /> Conferir a chave
              </Button>
            )}
          </div>
        </div>
      )}
    </>
  )
}
