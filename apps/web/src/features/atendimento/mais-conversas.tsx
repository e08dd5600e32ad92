import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'

const ANTES_DO_FIM = '800px'

export interface MaisConversasProps {
  readonly quadro: RefObject<HTMLElement | null>
  readonly lidas: number
  readonly carregarMais: () => Promise<void>
}

/** Loads the next page near the end of the list. After a failure only the button retries. */
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
  // A page can add no visible row because of the filter, so the marker does not move. The loaded count re-arms the observer.
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
