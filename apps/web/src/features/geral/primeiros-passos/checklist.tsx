import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { firstStepsOf } from './first-steps-state.ts'
import { FirstSteps } from './first-steps.tsx'
import { IaSuggestion } from './ia-suggestion.tsx'

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
