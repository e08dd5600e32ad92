import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFileDrop } from '#shared/hooks/use-file-drop.ts'
import { useUsuario } from '#shared/session.tsx'
import { uploadMidia } from './enviar-midia.ts'

export function useAttachments({ id: conversaId }: Conversa) {
  const cliente = useQueryClient()
  const { id, nome } = useUsuario()
  const [escolhidos, setEscolhidos] = useState<readonly File[]>([])
  const { sobre, soltar } = useFileDrop(setEscolhidos)
  return {
    escolhidos,
    escolher: setEscolhidos,
    sobre,
    enviar: (arquivos: readonly File[], legenda: string, citada: Mensagem | null): void => {
      setEscolhidos([])
      for (const [index, arquivo] of arquivos.entries()) {
        const together = index === 0 ? { legenda, citada } : { legenda: '', citada: null }
        void uploadMidia({ client: cliente, user: { id, nome } }, { conversaId, file: arquivo, ...together })
      }
    },
    soltar,
  }
}
