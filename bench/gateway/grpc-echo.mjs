// The peer of gRPC: a bare grpc-js server that answers each message with its bytes, and looks at nothing.
import { Server, ServerCredentials } from '@grpc/grpc-js';

const same = (bytes) => bytes;
const server = new Server();
const method = {
  path: '/bench.Echo/Echo',
  requestStream: false,
  responseStream: false,
  ...{ requestSerialize: same, requestDeserialize: same },
  ...{ responseSerialize: same, responseDeserialize: same },
};
server.addService({ Echo: method }, { Echo: ({ request }, answer) => answer(null, request) });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(
    JSON.stringify({ message: 'listening', url: `127.0.0.1:${port}`, grpc: `127.0.0.1:${port}` }),
  );
});
