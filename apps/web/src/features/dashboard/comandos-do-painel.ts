import { ABAS, type Aba } from '@balcao/contract/constants'
import { BookOpen, Keyboard, LogOut, Moon, ShieldCheck, Smartphone, Sun } from 'lucide-react'
import type { Tema } from '#shared/hooks/use-theme.ts'
import { type Painel as PainelDaEquipe, paineisDe } from '#shared/paineis.ts'
import { DESCRICAO_DA_ABA, podeVer } from './abas.ts'
import type { Comando } from './comandos.ts'
import { DESCRICAO_DA_ACAO } from './lista-de-acoes.tsx'
import type { Painel } from './painel.ts'

export interface Saidas {
  readonly irPara: (aba: Aba) => void
  readonly abrir: (pagina: '/admin' | '/simulador' | '/ajuda/{-$tema}') => void
  readonly abrirPainel: (painel: PainelDaEquipe) => void
  readonly alternarTema: () => void
  readonly abrirAjuda: () => void
}

function paginas({ usuario, temSimulador }: Painel, { abrir }: Saidas): readonly Comando[] {
  const simulador: Comando = {
    id: 'simulador',
    titulo: 'Abrir o simulador',
    grupo: 'Ir para',
    icone: Smartphone,
    palavras: 'celular testar',
    executar: () => abrir('/simulador'),
  }
  const admin: Comando = {
    id: 'admin',
    titulo: 'Administração',
    grupo: 'Ir para',
    icone: ShieldCheck,
    palavras: 'usuários admin',
    executar: () => abrir('/admin'),
  }
  return [...(temSimulador ? [simulador] : []), ...(usuario.tipo === 'admin' ? [admin] : [])]
}

function daEquipe({ quem }: Painel, { abrirPainel }: Saidas): readonly Comando[] {
  if (!podeVer(quem, 'atendimento')) return []
  return paineisDe(quem.tipo !== 'operador').map(({ id, titulo, icone, paraQue }) => ({
    id: `painel-${id}`,
    titulo: `Abrir ${titulo}`,
    grupo: 'Atendimento',
    icone,
    palavras: paraQue,
    executar: () => abrirPainel(id),
  }))
}

function acoesDoBot({ acoes, pedirLimpeza, quem }: Painel): readonly Comando[] {
  if (quem.tipo === 'operador') return []
  return [
    {
      id: 'setup',
      grupo: 'Ações',
      ...DESCRICAO_DA_ACAO.setup,
      palavras: 'iniciar bot',
      executar: () => void acoes.setupRapido(),
    },
    { id: 'limpar', grupo: 'Ações', ...DESCRICAO_DA_ACAO.limpar, palavras: 'desconectar qr', executar: pedirLimpeza },
    { id: 'recarregar', grupo: 'Ações', ...DESCRICAO_DA_ACAO.recarregar, executar: () => void acoes.recarregar() },
    { id: 'verificar', grupo: 'Ações', ...DESCRICAO_DA_ACAO.verificar, executar: () => void acoes.verificar() },
  ]
}

export function comandosDoPainel(painel: Painel, tema: Tema, saidas: Saidas): readonly Comando[] {
  const { sair, quem } = painel
  const escuro = tema === 'dark'
  return [
    ...ABAS.filter((aba) => podeVer(quem, aba)).map((aba) => ({
      id: `aba-${aba}`,
      titulo: `Ir para ${DESCRICAO_DA_ABA[aba].titulo}`,
      grupo: 'Abas',
      icone: DESCRICAO_DA_ABA[aba].icone,
      palavras: DESCRICAO_DA_ABA[aba].paraQue,
      teclas: `G ${ABAS.indexOf(aba) + 1}`,
      executar: () => saidas.irPara(aba),
    })),
    ...daEquipe(painel, saidas),
    ...acoesDoBot(painel),
    ...paginas(painel, saidas),
    {
      id: 'tema',
      titulo: escuro ? 'Usar tema claro' : 'Usar tema escuro',
      grupo: 'Preferências',
      icone: escuro ? Sun : Moon,
      palavras: 'aparência cor',
      executar: saidas.alternarTema,
    },
    {
      id: 'manual',
      titulo: 'Ajuda: o manual do Balcão',
      grupo: 'Preferências',
      icone: BookOpen,
      palavras: 'como fazer dúvidas',
      executar: () => saidas.abrir('/ajuda/{-$tema}'),
    },
    {
      id: 'atalhos',
      titulo: 'Atalhos do teclado',
      grupo: 'Preferências',
      icone: Keyboard,
      palavras: 'ajuda',
      teclas: '?',
      executar: saidas.abrirAjuda,
    },
    { id: 'sair', titulo: 'Sair', grupo: 'Sessão', icone: LogOut, palavras: 'logout encerrar', executar: sair },
  ]
}
