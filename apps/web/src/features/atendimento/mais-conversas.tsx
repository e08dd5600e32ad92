import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'

/** The next page is asked for before the end is reached. */
const ANTES_DO_FIM = '800px'

export interface MaisConversasProps {
  /** What scrolls: the margin counts from its edge. */
  readonly quadro: RefObject<HTMLElement | null>
  /** How many were read so far. */
  readonly lidas: number
  readonly carregarMais: () => Promise<void>
}

/** The end of what was read: more comes by itself as it gets near, and by the button when that failed. */
export function MaisConversas({ quadro, lidas, carregarMais }: MaisConversasProps) {
  const [ocupado, setOcupado] = useState(false)
  const [falhou, setFalhou] = useState(false)
  const fim = useRef<HTMLDivElement>(null)
  const carregar = async (): Promise<void> => {
    setOcupado(true)
    setFalhou(false)
    try {
      await carregarMais()
    } catch (erro) {
      setFalhou(true)
      avisar.erro(mensagemDe(erro))
    }
    setOcupado(false)
  }
  const chegar = useEffectEvent(() => {
    if (!ocupado && !falhou) void carregar()
  })
  // A page that shows nothing new (a filter hides it) leaves the end where it was: what was read tells that it came.
  useEffect(() => {
    if (fim.current === null) return
    const olhar = new IntersectionObserver(
      (entradas) => {
        if (entradas.some(({ isIntersecting }) => isIntersecting)) chegar()
      },
      { root: quadro.current, rootMargin: ANTES_DO_FIM },
    )
    olhar.observe(fim.current)
    return () => olhar.disconnect()
  }, [lidas, quadro])
  return (
    <div ref={fim} className="p-3 text-center">
      <Button variante="ghost" ocupado={ocupado} onClick={() => void carregar()}>
        Mostrar mais conversas
      </Button>
    </div>
  )
}
