import { useQueryClient } from '@tanstack/react-query'
import { useUsuario } from '#shared/session.tsx'
import { Balao } from './balao.tsx'
import type { Pendente } from './pendentes.ts'

const envio = () => import('./enviar-midia.ts')
const BOTAO = 'min-h-11 rounded underline'

export function BalaoPendente({ pendente: { mensagem, progresso, erro } }: { pendente: Pendente }) {
  const cliente = useQueryClient()
  const { id, nome } = useUsuario()
  return (
    <Balao mensagem={mensagem} progresso={erro === undefined ? progresso : undefined}>
      {erro !== undefined && (
        <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
          <p className="whitespace-pre-line">{erro}</p>
          <span className="flex gap-4">
            <button
              type="button"
              className={BOTAO}
              onClick={() =>
                void envio().then(({ tentarDeNovo }) => tentarDeNovo({ cliente, quem: { id, nome } }, mensagem.id))
              }
            >
              Tentar de novo
            </button>
            <button
              type="button"
              className={BOTAO}
              onClick={() => void envio().then(({ descartar }) => descartar(mensagem.id))}
            >
              Descartar
            </button>
          </span>
        </div>
      )}
    </Balao>
  )
}
