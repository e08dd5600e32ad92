/** Makes libsignal replace a session and prints the output. With `com` the fixes are loaded first. */
if (process.argv[2] === 'com') await import('#patches/index.ts')

// Dynamic imports, because static ones would run before the fixes.
const { createFakePhone } = await import('#test/rede-falsa/phone.ts')
const { createFakeCustomer } = await import('#test/rede-falsa/customer.ts')
const { connectPlain, newPlainAccount } = await import('#test/rede-falsa/plain-library.ts')
const { createFakeServer } = await import('#test/rede-falsa/server.ts')

const server = await createFakeServer()
const celular = createFakePhone(server, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
const ana = createFakeCustomer(server, { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' })
const sock = await connectPlain(server, celular, newPlainAccount())
await ana.say(celular, 'oi')
await sock.sendMessage(`${ana.lid}@lid`, { text: 'por LID' })
await sock.sendMessage(`${ana.numero}@s.whatsapp.net`, { text: 'por número' })
await ana.nth(2)
await ana.reinstall(celular)
await ana.say(celular, 'de novo')
await sock.sendMessage(`${ana.lid}@lid`, { text: 'lido' })
await ana.nth(3)
process.stdout.write('fim\n')
process.exit(0)
