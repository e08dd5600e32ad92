import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { CircleCheck, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { firstStepsOf } from './first-steps-state.ts'
import { FirstSteps } from './first-steps.tsx'
import { Link } from '@tanstack/react-router'
import { Button } from '#shared/ui/button.tsx'

function useDismissal(oQue: string) {
  const { contaId } = useUsuario()
  const key = `${oQue}:${contaId}`
  const [dispensado, setDispensado] = useState(() => localStorage.getItem(key) !== null)
  const dispensar = (text: string): void => {
    localStorage.setItem(key, 'sim')
    setDispensado(true)
    const undo = (): void => {
      localStorage.removeItem(key)
      setDispensado(false)
    }
    notify.info(text, { action: { label: 'Desfazer', run: undo } })
  }
  return { dispensado, dispensar }
}

interface ChecklistProps {
  readonly config: VersionedConfig
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function AllDone() {
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-semibold text-brand-ink">
      <CircleCheck aria-hidden className="size-4.5" /> Tudo pronto: seu balcão está atendendo.
    </p>
  )
}

export function Checklist({ config, bot, mensagensNoMes }: ChecklistProps) {
  const { tipo, componentesPermitidos } = useUsuario()
  const lista = useDismissal('passos-dispensados')
  const suggestion = useDismissal('sugestao-ia-dispensada')
  const steps = firstStepsOf({ config, bot, mensagensNoMes })
  const complete = steps.every((step) => step.done)
  const [viuIncompleta, setViuIncompleta] = useState(!complete)
  if (!complete && !viuIncompleta) setViuIncompleta(true)

  if (!complete) {
    if (lista.dispensado) return null
    return <FirstSteps passos={steps} onDispensar={() => lista.dispensar('Primeiros passos dispensados.')} />
  }
  const podeIa = tipo === 'admin' || componentesPermitidos.iaChatbot
  return (
    <>
      {viuIncompleta && !lista.dispensado && <AllDone />}
      {podeIa && !config.ia.ativa && !suggestion.dispensado && (
        <IaSuggestion onDispensar={() => suggestion.dispensar('Sugestão dispensada.')} />
      )}
    </>
  )
}

/** Shown only after all first steps are done. */
function IaSuggestion({ onDispensar }: { onDispensar: () => void }) {
  return (
    <section
      aria-labelledby="sugestao-da-ia"
      className="card flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:flex-nowrap sm:px-5"
    >
      <span className="grid size-10 flex-none place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Sparkles aria-hidden className="size-5" />
      </span>
      <div className="min-w-48 flex-1">
        <h2 id="sugestao-da-ia" className="font-bold">
          Que tal uma assistente de IA?
        </h2>
        <p className="text-sm text-muted">
          Ela responde o que não está no menu, com o que você ensinar, e chama um atendente quando for preciso.
        </p>
      </div>
      <div className="flex gap-1 max-sm:w-full max-sm:*:flex-1">
        <Button variant="ghost" onClick={onDispensar}>
          Agora não
        </Button>
        <Link to="/dashboard" search={{ aba: 'ia' }} className="btn btn-outline">
          Conhecer a IA
        </Link>
      </div>
    </section>
  )
}
