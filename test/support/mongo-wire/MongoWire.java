import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import java.util.List;

/** Serves MongoDB's wire protocol from memory on a free port of 127.0.0.1, and prints the port. Ends with its stdin. */
public class MongoWire {
    /** What the backend speaks is 5.0; it says wire version 8 for it, which today's drivers refuse. */
    private static final MongoVersion VERSION = new MongoVersion() {
        public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
        public int getWireVersion() { return 13; }
    };

    public static void main(String[] args) throws Exception {
        MongoServer server = new MongoServer(H2Backend.inMemory().version(VERSION));
        System.out.println(server.bind().getPort());
        while (System.in.read() >= 0) { }
        server.shutdownNow();
    }
}
