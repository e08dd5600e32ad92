import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { firstStepsOf } from './passos.ts'
import { FirstSteps } from './primeiros-passos.tsx'
import { IaSuggestion } from './sugestao-da-ia.tsx'

function useDismissal(oQue: string) {
  const { contaId } = useUsuario()
  const chave = `${oQue}:${contaId}`
  const [dispensado, setDispensado] = useState(() => localStorage.getItem(chave) !== null)
  const dispensar = (texto: string): void => {
    localStorage.setItem(chave, 'sim')
    setDispensado(true)
    const desfazer = (): void => {
      localStorage.removeItem(chave)
      setDispensado(false)
    }
    notify.info(texto, { action: { label: 'Desfazer', run: desfazer } })
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
  const sugestao = useDismissal('sugestao-ia-dispensada')
  const passos = firstStepsOf({ config, bot, mensagensNoMes })
  const completa = passos.every((passo) => passo.done)
  const [viuIncompleta, setViuIncompleta] = useState(!completa)
  if (!completa && !viuIncompleta) setViuIncompleta(true)

  if (!completa) {
    if (lista.dispensado) return null
    return <FirstSteps passos={passos} onDispensar={() => lista.dispensar('Primeiros passos dispensados.')} />
  }
  const podeIa = tipo === 'admin' || componentesPermitidos.iaChatbot
  return (
    <>
      {viuIncompleta && !lista.dispensado && <AllDone />}
      {podeIa && !config.ia.ativa && !sugestao.dispensado && (
        <IaSuggestion onDispensar={() => sugestao.dispensar('Sugestão dispensada.')} />
      )}
    </>
  )
}
