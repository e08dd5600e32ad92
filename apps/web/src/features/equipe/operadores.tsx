import type { Operador } from '@balcao/contract/entities/operador'
import { useQueryClient } from '@tanstack/react-query'
import { UserPlus, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePresentes } from '#shared/dados/presenca.ts'
import { useEstadoSocket } from '#shared/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import { EmptyState, Leitura, Skeleton } from '#shared/ui/states.tsx'
import { AcoesDoPainel } from './acoes-do-painel.tsx'
import { FormularioDoOperador } from './formulario-do-operador.tsx'
import { OperadorNaLista } from './operador-na-lista.tsx'
import { CHAVE_OPERADORES, useMudarOperadores, useOperadores } from './use-operadores.ts'
import { useSetores } from './use-setores.ts'

type Aberto =
  | { readonly tipo: 'convidar' }
  | { readonly tipo: 'editar' | 'desativar' | 'remover'; readonly operador: Operador }

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando a equipe" aria-busy="true" className="card divide-y">
      {[0, 1, 2].map((linha) => (
        <div key={linha} className="flex gap-3 p-4">
          <Skeleton className="size-11 flex-none !rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  )
}

function resumo(operadores: readonly Operador[], presentes: number | null): string {
  const pessoas = operadores.length === 1 ? '1 pessoa' : `${operadores.length} pessoas`
  if (presentes === null) return pessoas
  return `${pessoas} · ${presentes === 0 ? 'ninguém' : presentes} no painel agora`
}

/** Refetches when an invited operador appears online: the password has been chosen. */
function useConvitesAceitos(operadores: readonly Operador[] | undefined, presentes: ReadonlySet<string>): void {
  const cliente = useQueryClient()
  const aceitou = operadores?.some(({ id, convitePendente }) => convitePendente && presentes.has(id)) === true
  useEffect(() => {
    if (aceitou) void cliente.invalidateQueries({ queryKey: CHAVE_OPERADORES })
  }, [aceitou, cliente])
}

export function Operadores() {
  const consulta = useOperadores()
  const setores = useSetores()
  const presentes = usePresentes()
  const conectado = useEstadoSocket().tipo === 'online'
  const [aberto, setAberto] = useState<Aberto | null>(null)
  useConvitesAceitos(consulta.data, presentes)
  const { ativar, remover, reenviar } = useMudarOperadores()
  const fechar = (): void => setAberto(null)
  const convidar = (
    <Button variante="primary" className="min-h-11" onClick={() => setAberto({ tipo: 'convidar' })}>
      <UserPlus size={18} aria-hidden /> Convidar pessoa
    </Button>
  )
  return (
    <>
      <Leitura emCartao consulta={consulta} esqueleto={<Esqueleto />}>
        {(operadores) =>
          operadores.length === 0 ? (
            <div className="card">
              <EmptyState titulo="Só você atende" icone={<UsersRound size={22} aria-hidden />} acao={convidar}>
                Convide quem atende com você. Cada pessoa entra com o próprio e-mail e vê só o Atendimento.
              </EmptyState>
            </div>
          ) : (
            <>
              <AcoesDoPainel>{convidar}</AcoesDoPainel>
              <p className="text-sm font-semibold text-muted">
                {resumo(operadores, conectado ? operadores.filter(({ id }) => presentes.has(id)).length : null)}
              </p>
              <ul aria-label="Pessoas da equipe" className="card divide-y">
                {operadores.map((operador) => (
                  <OperadorNaLista
                    key={operador.id}
                    operador={operador}
                    setores={setores}
                    presente={conectado ? presentes.has(operador.id) : null}
                    onReenviar={() => reenviar(operador)}
                    onEditar={() => setAberto({ tipo: 'editar', operador })}
                    onDesativar={() => setAberto({ tipo: 'desativar', operador })}
                    onAtivar={() => void ativar(operador, true)}
                    onRemover={() => setAberto({ tipo: 'remover', operador })}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Leitura>
      {(aberto?.tipo === 'convidar' || aberto?.tipo === 'editar') && (
        <FormularioDoOperador
          operador={aberto.tipo === 'editar' ? aberto.operador : null}
          setores={setores}
          onFechar={fechar}
        />
      )}
      {aberto?.tipo === 'desativar' && (
        <Confirmar
          aberto
          titulo={`Desativar ${aberto.operador.nome}?`}
          confirmar="Desativar"
          onConfirmar={() => ativar(aberto.operador, false)}
          onFechar={fechar}
        >
          A pessoa sai do painel na hora e não entra até você ativar de novo. As conversas que ela atende voltam para a
          fila do mesmo setor, sem perder o tempo de espera.
        </Confirmar>
      )}
      {aberto?.tipo === 'remover' && (
        <Confirmar
          aberto
          titulo={`Remover ${aberto.operador.nome} da equipe?`}
          confirmar="Remover"
          onConfirmar={() => remover(aberto.operador)}
          onFechar={fechar}
        >
          <p>
            As conversas que a pessoa atende voltam para a fila do mesmo setor, sem perder o tempo de espera. O que ela
            já escreveu continua no histórico, com o nome dela.
          </p>
          <p className="mt-2">Não dá para desfazer: para voltar, será preciso um novo convite.</p>
        </Confirmar>
      )}
    </>
  )
}
