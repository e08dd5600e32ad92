import type { ReactNode } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { NovaSenha } from './nova-senha.tsx'
import { RecusaDoFormulario } from './recusa-do-formulario.tsx'
import type { Envio } from './use-envio.ts'

export interface FormularioDaSenhaProps {
  readonly envio: Envio
  readonly rotulo: string
  readonly salvar: string
  readonly children?: ReactNode
}

export function FormularioDaSenha({ envio, rotulo, salvar, children }: FormularioDaSenhaProps) {
  const { recusa, ocupado, onSubmit, erroDe } = envio
  return (
    <form noValidate onSubmit={onSubmit} className="space-y-4">
      <RecusaDoFormulario recusa={recusa} />
      {children}
      <NovaSenha rotulo={rotulo} erroDe={erroDe} />
      <Button type="submit" variante="primary" tamanho="lg" ocupado={ocupado} className="w-full">
        {ocupado ? 'Salvando...' : salvar}
      </Button>
    </form>
  )
}
