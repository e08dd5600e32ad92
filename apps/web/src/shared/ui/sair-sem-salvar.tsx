import type { ReactNode } from 'react'
import type { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Confirmar } from './confirmar.tsx'

export interface SairSemSalvarProps {
  readonly guarda: ReturnType<typeof useUnsavedGuard>
  /** What would be lost. */
  readonly children: ReactNode
}

/** Asked of who leaves an editor with changes in it. */
export function SairSemSalvar({ guarda, children }: SairSemSalvarProps) {
  return (
    <Confirmar
      aberto={guarda.perguntando}
      titulo="Sair sem salvar?"
      confirmar="Sair sem salvar"
      voltar="Continuar editando"
      onConfirmar={guarda.sair}
      onFechar={guarda.ficar}
    >
      {children}
    </Confirmar>
  )
}
