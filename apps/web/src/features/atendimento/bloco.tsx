import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { Fragment, memo, useEffect, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { Balao, type BalaoProps } from './balao.tsx'
import { nomeDoDia, useHoje } from './tempo.ts'

export interface Novas {
  readonly id: string
  readonly quantas: number
  /** Number of unread mensagens below the divider, when older unread ones are not loaded. */
  readonly lidas?: number
}

const DIVISOR = 'justify-self-center rounded-full px-3 py-0.5 text-xs font-semibold'

function frase({ quantas, lidas }: Novas): string {
  if (quantas === 1) return '1 nova mensagem'
  const todas = `${formatNumber(quantas)} novas mensagens`
  return lidas === undefined ? todas : `Últimas ${formatNumber(lidas)} de ${todas}`
}

interface DivisoresProps {
  readonly mensagem: Mensagem
  readonly antes: Mensagem | undefined
  readonly novas: Novas | null
  readonly hoje: string
}

function Divisores({ mensagem, antes, novas, hoje }: DivisoresProps) {
  const dia = nomeDoDia(mensagem.timestamp, hoje)
  return (
    <>
      {(antes === undefined || nomeDoDia(antes.timestamp, hoje) !== dia) && (
        <li className={`${DIVISOR} bg-surface text-muted`}>{dia}</li>
      )}
      {novas !== null && (
        <li data-novas className={`${DIVISOR} bg-info-soft text-info-ink`}>
          {frase(novas)}
        </li>
      )}
    </>
  )
}

/** `content-visibility` skips a block only after two frames, when the browser knows its real height. */
function useMedido(): boolean {
  const [medido, setMedido] = useState(false)
  useEffect(() => {
    let quadro = requestAnimationFrame(() => {
      quadro = requestAnimationFrame(() => setMedido(true))
    })
    return () => cancelAnimationFrame(quadro)
  }, [])
  return medido
}

export interface BlocoProps {
  readonly mensagens: readonly Mensagem[]
  readonly antes: Mensagem | undefined
  readonly novas: Novas | null
  /** The last blocks are always rendered. */
  readonly recente: boolean
  readonly onReenviar: ((id: string) => void) | undefined
  readonly onPorQue: ((id: string) => void) | undefined
  readonly onAcoes: BalaoProps['onAcoes']
}

/**
 * One page of the chat. A new mensagem re-renders only its block, and `content-visibility` skips off-screen blocks.
 * Unlike a virtual list, all mensagens stay in the document for browser search, selection and reading order.
 */
export const Bloco = memo(function Bloco({
  mensagens,
  antes,
  novas,
  recente,
  onReenviar,
  onPorQue,
  onAcoes,
}: BlocoProps) {
  const medido = useMedido()
  const hoje = useHoje()
  return (
    <ol
      className="grid gap-2 [contain-intrinsic-size:auto_3000px]"
      style={medido && !recente ? { contentVisibility: 'auto' } : undefined}
    >
      {mensagens.map((mensagem, indice) => (
        <Fragment key={mensagem.id}>
          <Divisores
            mensagem={mensagem}
            antes={mensagens[indice - 1] ?? antes}
            novas={mensagem.id === novas?.id ? novas : null}
            hoje={hoje}
          />
          <Balao mensagem={mensagem} onReenviar={onReenviar} onPorQue={onPorQue} onAcoes={onAcoes} />
        </Fragment>
      ))}
    </ol>
  )
})
