import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import type { StepTarget, FirstStep } from './first-steps-state.ts'

function StepContent({ passo }: { passo: FirstStep }) {
  return (
    <>
      {passo.done ? (
        <Check aria-hidden className="mt-0.5 size-4.5 flex-none" />
      ) : (
        <Circle aria-hidden className="mt-0.5 size-4.5 flex-none text-muted" />
      )}
      <span>
        {passo.title}
        <span className="sr-only">{passo.done ? ' (concluído)' : ' (falta fazer)'}</span>
      </span>
    </>
  )
}

const BOX_CLASS =
  'flex h-full min-h-11 items-start gap-2.5 rounded-[10px] border p-3 text-sm font-semibold leading-snug'
const OPEN_CLASS = `${BOX_CLASS} border-line-strong/50 hover:border-brand hover:bg-sunken`

function focusSelector(seletor: string): void {
  const alvo = document.querySelector(seletor)
  if (!(alvo instanceof HTMLElement)) return
  alvo.scrollIntoView({ block: 'center' })
  alvo.focus({ preventScroll: true })
}

function OpenStep({ passo, destino }: { passo: FirstStep; destino: StepTarget }) {
  switch (destino.tipo) {
    case 'aba':
      return (
        <Link to="/dashboard" search={{ aba: destino.aba }} className={OPEN_CLASS}>
          <StepContent passo={passo} />
        </Link>
      )
    case 'pagina':
      return (
        <Link to={destino.href} className={OPEN_CLASS}>
          <StepContent passo={passo} />
        </Link>
      )
    case 'elemento':
      return (
        <button
          type="button"
          className={`${OPEN_CLASS} w-full text-left`}
          onClick={() => focusSelector(destino.seletor)}
        >
          <StepContent passo={passo} />
        </button>
      )
  }
}

export function FirstSteps({ passos, onDispensar }: { passos: readonly FirstStep[]; onDispensar: () => void }) {
  const feitos = passos.filter((step) => step.done).length
  return (
    <section aria-labelledby="primeiros-passos" className="card p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="primeiros-passos" className="text-lg font-bold">
          Primeiros passos
        </h2>
        <p className="text-sm text-muted">
          {feitos} de {passos.length} concluídos
        </p>
        <span className="-mr-2 ml-auto flex gap-1">
          <Link to="/ajuda/{-$tema}" params={{ tema: 'primeiros-passos' }} className="btn btn-ghost btn-sm text-muted">
            Ver no manual
          </Link>
          <Button variant="ghost" size="sm" className="text-muted" onClick={onDispensar}>
            Dispensar
          </Button>
        </span>
      </div>
      <ol className="mt-4 grid gap-2 sm:grid-cols-2 xl:grid-cols-5">
        {passos.map((step) => (
          <li key={step.id}>
            {step.done || step.target === undefined ? (
              <span className={`${BOX_CLASS} border-transparent bg-brand-soft text-brand-ink`}>
                <StepContent passo={step} />
              </span>
            ) : (
              <OpenStep passo={step} destino={step.target} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
