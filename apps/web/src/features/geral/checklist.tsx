import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { primeirosPassos } from './passos.ts'
import { PrimeirosPassos } from './primeiros-passos.tsx'
import { SugestaoDaIa } from './sugestao-da-ia.tsx'

function useDispensa(oQue: string) {
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
    avisar.info(texto, { acao: { rotulo: 'Desfazer', fazer: desfazer } })
  }
  return { dispensado, dispensar }
}

interface ChecklistProps {
  readonly config: ConfigVersionada
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function TudoPronto() {
  return (
    <p role="status" className="flex items-center gap-2 text-sm font-semibold text-brand-ink">
      <CircleCheck aria-hidden className="size-4.5" /> Tudo pronto: seu balcão está atendendo.
    </p>
  )
}

export function Checklist({ config, bot, mensagensNoMes }: ChecklistProps) {
  const { tipo, componentesPermitidos } = useUsuario()
  const lista = useDispensa('passos-dispensados')
  const sugestao = useDispensa('sugestao-ia-dispensada')
  const passos = primeirosPassos({ config, bot, mensagensNoMes })
  const completa = passos.every((passo) => passo.feito)
  const [viuIncompleta, setViuIncompleta] = useState(!completa)
  if (!completa && !viuIncompleta) setViuIncompleta(true)

  if (!completa) {
    if (lista.dispensado) return null
    return <PrimeirosPassos passos={passos} onDispensar={() => lista.dispensar('Primeiros passos dispensados.')} />
  }
  const podeIa = tipo === 'admin' || componentesPermitidos.iaChatbot
  return (
    <>
      {viuIncompleta && !lista.dispensado && <TudoPronto />}
      {podeIa && !config.ia.ativa && !sugestao.dispensado && (
        <SugestaoDaIa onDispensar={() => sugestao.dispensar('Sugestão dispensada.')} />
      )}
    </>
  )
}
