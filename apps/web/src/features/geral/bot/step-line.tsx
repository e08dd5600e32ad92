import { Check, X } from 'lucide-react'
import { BOT_STEPS, botStepStates, type StepState } from './bot-steps.ts'

const CIRCLE_CLASS: Readonly<Record<StepState, string>> = {
  feita: 'border-brand bg-brand text-on-brand',
  atual: 'border-brand text-ink',
  falhou: 'border-danger bg-danger-soft text-danger-ink',
  futura: 'border-line text-muted',
}

const STEP_SPOKEN: Readonly<Record<StepState, string>> = {
  feita: 'concluída',
  atual: 'etapa atual',
  falhou: 'falhou',
  futura: 'ainda não',
}

function StepMark({ situacao, numero }: { situacao: StepState; numero: number }) {
  if (situacao === 'feita') return <Check aria-hidden className="size-3.5" />
  if (situacao === 'falhou') return <X aria-hidden className="size-3.5" />
  return <span aria-hidden>{numero}</span>
}

export function StepLine({ status }: { status: string }) {
  const situacoes = botStepStates(status)
  return (
    <ol aria-label="Etapas da conexão" className="grid grid-cols-4">
      {BOT_STEPS.map((etapa, index) => {
        const situation = situacoes[index] ?? 'futura'
        const percorrida = situation !== 'futura'
        return (
          <li
            key={etapa}
            aria-current={situation === 'atual' ? 'step' : undefined}
            className="relative flex flex-col items-center gap-1.5 px-0.5 text-center"
          >
            {index > 0 && (
              <span
                aria-hidden
                className={`absolute top-3 right-[calc(50%+0.75rem)] left-[calc(-50%+0.75rem)] h-0.5 -translate-y-1/2 ${percorrida ? 'bg-brand' : 'bg-line'}`}
              />
            )}
            <span
              className={`relative grid size-6 place-items-center rounded-full border-2 text-xs font-bold ${CIRCLE_CLASS[situation]}`}
            >
              <StepMark situacao={situation} numero={index + 1} />
            </span>
            <span
              className={`text-[0.69rem] leading-tight sm:text-xs ${situation === 'atual' ? 'font-bold' : 'font-semibold text-muted'}`}
            >
              {etapa}
              <span className="sr-only"> ({STEP_SPOKEN[situation]})</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}
